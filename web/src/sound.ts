// Sounds, made on the spot: knocks of wood on wood from a damped tone and a breath of noise, and a few bells.
// No file is loaded. The first sound makes the AudioContext, because browsers allow it only after a touch
// or a key; before that, and where there is no audio, playSound does nothing.

export type SoundName = 'move' | 'capture' | 'check' | 'castle' | 'promotion' | 'end' | 'lowtime' | 'illegal';

/** A knock: pitch of the wood, length of its ring, loudness, how much noise of the touch, when. */
interface Knock {
  readonly kind: 'knock';
  readonly pitch: number;
  readonly ring: number;
  readonly gain: number;
  readonly noise: number;
  readonly at: number;
}

/** A bell or a hum: pitch, length, loudness, wave, when; `to` is the pitch it glides to. */
interface Tone {
  readonly kind: 'tone';
  readonly pitch: number;
  readonly to?: number;
  readonly ring: number;
  readonly gain: number;
  readonly wave: OscillatorType;
  readonly at: number;
}

const knock = (pitch: number, at = 0, gain = 0.9, noise = 0.5, ring = 0.09): Knock => ({
  kind: 'knock',
  pitch,
  ring,
  gain,
  noise,
  at,
});
const tone = (
  pitch: number,
  at: number,
  ring: number,
  gain: number,
  wave: OscillatorType = 'sine',
  to?: number,
): Tone => ({
  kind: 'tone',
  pitch,
  ring,
  gain,
  wave,
  at,
  ...(to === undefined ? {} : { to }),
});

/** Each sound as its knocks and tones. */
const SCORES: Record<SoundName, readonly (Knock | Tone)[]> = {
  move: [knock(210)],
  capture: [knock(160, 0, 1, 0.9, 0.11), knock(330, 0.045, 0.6, 0.7, 0.06)],
  check: [knock(210), tone(660, 0.02, 0.32, 0.22, 'triangle'), tone(880, 0.1, 0.4, 0.2, 'triangle')],
  castle: [knock(190), knock(240, 0.13)],
  promotion: [knock(210), tone(523, 0.05, 0.3, 0.2), tone(659, 0.13, 0.3, 0.2), tone(784, 0.21, 0.55, 0.24)],
  end: [tone(392, 0, 0.9, 0.22), tone(494, 0.12, 0.9, 0.2), tone(587, 0.24, 1.2, 0.22), knock(120, 0, 0.5, 0.2, 0.2)],
  lowtime: [tone(988, 0, 0.12, 0.22, 'square'), tone(988, 0.2, 0.12, 0.22, 'square')],
  illegal: [tone(150, 0, 0.16, 0.34, 'triangle', 95), knock(95, 0, 0.5, 0.25)],
};

let audio: { context: AudioContext; out: GainNode; noise: AudioBuffer } | null = null;

function open(): typeof audio {
  if (audio) return audio;
  if (typeof AudioContext === 'undefined') return null;
  const context = new AudioContext();
  // A compressor keeps two sounds at once from clipping.
  const guard = context.createDynamicsCompressor();
  guard.connect(context.destination);
  const out = context.createGain();
  out.connect(guard);
  const noise = context.createBuffer(1, Math.ceil(context.sampleRate * 0.2), context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  audio = { context, out, noise };
  return audio;
}

/** A gain that jumps to `gain` at `at` and dies away over `ring` seconds. */
function decay(context: BaseAudioContext, at: number, gain: number, ring: number): GainNode {
  const node = context.createGain();
  node.gain.setValueAtTime(0.0001, at);
  node.gain.exponentialRampToValueAtTime(gain, at + 0.003);
  node.gain.exponentialRampToValueAtTime(0.0001, at + ring);
  return node;
}

/** Writes one sound into an audio graph; also used to render sounds where nobody listens. */
export function schedule(
  context: BaseAudioContext,
  out: AudioNode,
  noise: AudioBuffer,
  name: SoundName,
  start: number,
): void {
  for (const part of SCORES[name]) {
    const at = start + part.at;
    const voice = decay(context, at, part.gain, part.ring);
    voice.connect(out);
    const source = context.createOscillator();
    source.frequency.setValueAtTime(part.pitch, at);
    if (part.kind === 'tone') {
      source.type = part.wave;
      if (part.to !== undefined) source.frequency.exponentialRampToValueAtTime(part.to, at + part.ring);
    } else {
      // Wood gives way: the pitch falls as it rings.
      source.frequency.exponentialRampToValueAtTime(part.pitch * 0.6, at + part.ring);
      const touch = context.createBufferSource();
      touch.buffer = noise;
      const band = context.createBiquadFilter();
      band.type = 'bandpass';
      band.frequency.value = part.pitch * 9;
      band.Q.value = 0.9;
      const fade = decay(context, at, part.gain * part.noise, part.ring * 0.45);
      touch.connect(band).connect(fade).connect(out);
      touch.start(at, 0, part.ring);
    }
    source.connect(voice);
    source.start(at);
    source.stop(at + part.ring + 0.02);
  }
}

/** Plays a sound; `volume` from 0 (nothing) to 1. Never throws: a game goes on without sound. */
export function playSound(name: SoundName, volume: number): void {
  if (volume <= 0) return;
  try {
    const a = open();
    if (!a) return;
    if (a.context.state === 'suspended') void a.context.resume().catch(() => undefined);
    // Loudness is felt in ratios: the square makes the slider even.
    a.out.gain.value = Math.min(1, volume) ** 2;
    schedule(a.context, a.out, a.noise, name, a.context.currentTime + 0.005);
  } catch {
    // No audio device, or too many contexts.
  }
}
