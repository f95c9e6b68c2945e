// The board in three dimensions. Start here: Board3D takes states and gives events as every board view does
// (see ../board.ts), and draws a frame only when something has changed. The parts: stage.ts (board, light),
// men.ts with lathe.ts, implicit.ts and knight.ts (shapes), materials.ts (wood), crowd.ts (who stands where),
// marks.ts, camera.ts, hands.ts (input), motion.ts.

import * as THREE from 'three';
import {
  squareAt,
  type BoardEvents,
  type BoardLook,
  type BoardState,
  type BoardView3D,
  type Brush,
  type MountBoard,
  type Place,
  type Shape,
  type Square,
} from '../board';
import { Eye } from './camera';
import { Crowd, spot } from './crowd';
import { Hands, type Hit, type Table } from './hands';
import { Marks } from './marks';
import type { Quality } from './men';
import { Motion } from './motion';
import { Stage } from './stage';
import { readStored, writeStored } from '../storage';

const TURN_MS = 650;
/** Quality 'auto': a simple frame that takes longer shows that a full one would be too slow, a full one that it is. */
const SLOW_SIMPLE_MS = 25;
const SLOW_FRAME_MS = 80;
/** So long after the first frame full quality is tried. */
const UPGRADE_MS = 250;
/** How high a man is lifted while he is carried. */
const LIFT = 0.32;

/** Whether the pictures are computed by the processor instead of a graphics card. */
function isSoftware(renderer: THREE.WebGLRenderer): boolean {
  const gl = renderer.getContext();
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

class Board3D implements BoardView3D, Table {
  private readonly canvas = document.createElement('canvas');
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly motion = new Motion();
  private readonly eye: Eye;
  private readonly hands: Hands;
  private readonly observer: ResizeObserver;
  private readonly ray = new THREE.Raycaster();
  private readonly ground = new THREE.Plane(new THREE.Vector3(0, 1, 0), 0);
  private quality: Quality;
  private stage!: Stage;
  private crowd!: Crowd;
  private marks!: Marks;
  private request = 0;
  private upgrade: ReturnType<typeof setTimeout> | undefined;
  private frames = 0;
  /** Milliseconds of the last frame that was measured. */
  measured = 0;
  /** Frames of full quality. */
  private full = 0;
  /** Counts what may have moved a man; the shadows are those of `shadowed`. */
  private changes = 0;
  private shadowed = '';
  private width = 1;
  private height = 1;
  /** The man in the hand: his square, the plane he is carried in, where he was gripped. */
  private held: { square: Square; plane: THREE.Plane; grip: THREE.Vector3 } | null = null;
  private target: Square | null = null;
  private sketch: Shape | null = null;

  constructor(
    private readonly element: HTMLElement,
    private state: BoardState,
    private readonly events: BoardEvents,
    private readonly look: BoardLook,
  ) {
    this.canvas.className = 'board3d';
    this.canvas.setAttribute('aria-hidden', 'true');
    Object.assign(this.canvas.style, { position: 'absolute', inset: '0', display: 'block', touchAction: 'none' });
    // Throws where there is no WebGL: the page keeps its 2D board and says so.
    this.renderer = new THREE.WebGLRenderer({
      canvas: this.canvas,
      antialias: true,
      alpha: true,
      powerPreference: 'low-power',
    });
    // Whether a machine is fast is known when it has drawn: the first picture is a simple one, unless it was fast before.
    this.quality = look.quality !== 'auto' ? look.quality : readStored('fast3d', false) ? 'high' : 'low';
    if (look.quality === 'auto' && isSoftware(this.renderer)) this.quality = 'low';
    else if (look.quality === 'auto' && this.quality === 'low')
      this.upgrade = setTimeout(() => this.improve(), UPGRADE_MS);
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    element.append(this.canvas);
    this.eye = new Eye(state.orientation, this.motion);
    this.furnish();
    this.resize();
    this.hands = new Hands(this.canvas, this);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
    this.canvas.addEventListener('webglcontextlost', e => e.preventDefault());
    this.canvas.addEventListener('webglcontextrestored', () => this.setQuality(this.quality));
    // For tests: where things are on the screen.
    (this.canvas as HTMLCanvasElement & { view?: Board3D }).view = this;
  }

  /** Builds all that depends on the quality. */
  private furnish(): void {
    const high = this.quality === 'high';
    this.renderer.shadowMap.enabled = high;
    // Reflections can be brighter than the screen and are rolled off; plain light cannot.
    this.renderer.toneMapping = high ? THREE.NeutralToneMapping : THREE.NoToneMapping;
    this.renderer.setPixelRatio(high ? Math.min(window.devicePixelRatio, 2) : 1);
    this.stage = new Stage(this.scene, this.look.theme, this.quality, this.renderer);
    this.crowd = new Crowd(this.quality, this.motion);
    this.marks = new Marks(this.quality);
    this.scene.add(this.crowd.group, this.marks.group);
    this.crowd.show(this.state.fen, null, 0);
    this.changes++;
    this.refresh();
  }

  private clear(): void {
    this.held = null;
    this.scene.remove(this.crowd.group, this.marks.group);
    this.crowd.dispose();
    this.marks.dispose();
    this.stage.dispose();
  }

  // ---- What the page asks for -----------------------------------------------------------------

  setState(state: BoardState): void {
    const before = this.state;
    this.state = state;
    if (state.orientation !== before.orientation) {
      this.eye.face(state.orientation, state.animationMs ? TURN_MS : 0);
    }
    if (this.crowd.show(state.fen, state.lastMove, state.animationMs)) this.changes++;
    const { held } = this;
    if (held && !this.crowd.has(held.square)) this.release();
    this.refresh();
  }

  place(square: Square): Place {
    const middle = spot(square);
    const points = [
      [-0.5, -0.5],
      [0.5, -0.5],
      [-0.5, 0.5],
      [0.5, 0.5],
    ].map(([x, z]) => this.project(middle.clone().add(new THREE.Vector3(x, 0, z))));
    const xs = points.map(p => p.x);
    const ys = points.map(p => p.y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const size = Math.max(right - left, bottom - top);
    return { x: (left + right - size) / 2, y: (top + bottom - size) / 2, size };
  }

  /** Where to press to grip what stands on a square: the man's middle, or the square's. */
  grip(square: Square): { x: number; y: number } {
    const point = spot(square);
    if (this.crowd.has(square)) point.y = 0.45;
    return this.project(point);
  }

  private project(point: THREE.Vector3): { x: number; y: number } {
    const p = point.clone().project(this.eye.camera);
    return { x: ((p.x + 1) / 2) * this.width, y: ((1 - p.y) / 2) * this.height };
  }

  resize(): void {
    const width = Math.max(1, this.element.clientWidth);
    const height = Math.max(1, this.element.clientHeight);
    this.width = width;
    this.height = height;
    this.renderer.setSize(width, height);
    this.eye.resize(width, height);
    this.invalidate();
  }

  turn(): void {
    this.eye.turn(this.state.animationMs ? TURN_MS : 0);
    this.invalidate();
  }

  resetCamera(): void {
    this.eye.reset(this.state.animationMs ? TURN_MS : 0);
    this.invalidate();
  }

  setQuality(quality: Quality): void {
    this.motion.clear();
    this.clear();
    this.quality = quality;
    this.furnish();
    this.resize();
  }

  destroy(): void {
    cancelAnimationFrame(this.request);
    clearTimeout(this.upgrade);
    this.observer.disconnect();
    this.hands.destroy();
    this.motion.clear();
    this.clear();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }

  // ---- Drawing --------------------------------------------------------------------------------

  /** The marks follow the state; then a frame. */
  private refresh(): void {
    const shapes = this.sketch ? [...this.state.shapes, this.sketch] : this.state.shapes;
    this.marks.show({ ...this.state, shapes }, this.crowd, { target: this.target });
    this.invalidate();
  }

  private invalidate(): void {
    if (!this.request) this.request = requestAnimationFrame(now => this.frame(now));
  }

  private frame(now: number): void {
    this.request = 0;
    const moving = this.motion.advance(now);
    this.stage.label(this.eye.quadrant, this.state.coordinates);
    this.stage.follow(this.eye.azimuth);
    // Marks change often and throw no shadow.
    const scene = `${this.eye.azimuth} ${moving} ${this.changes}`;
    this.renderer.shadowMap.needsUpdate = moving || scene !== this.shadowed;
    this.shadowed = scene;
    this.renderer.render(this.scene, this.eye.camera);
    this.canvas.dataset['frames'] = String(++this.frames);
    if (this.look.quality === 'auto' && this.quality === 'high' && ++this.full === 2) this.judge();
    if (moving) this.invalidate();
  }

  /** One frame against the clock, in milliseconds. */
  private measure(): number {
    const gl = this.renderer.getContext();
    const begin = performance.now();
    this.renderer.render(this.scene, this.eye.camera);
    // Reading a pixel waits for the picture to be finished.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    return (this.measured = performance.now() - begin);
  }

  /** Tries full quality where simple frames are quick; not while something moves or is carried. */
  private improve(): void {
    if (this.frames === 0 || this.request || this.held) this.upgrade = setTimeout(() => this.improve(), UPGRADE_MS);
    else if (this.measure() <= SLOW_SIMPLE_MS) this.setQuality('high');
  }

  /** Where a full frame takes too long to follow a move, shadows and reflections go. */
  private judge(): void {
    const fast = this.measure() <= SLOW_FRAME_MS;
    writeStored('fast3d', fast);
    if (!fast) this.setQuality('low');
  }

  // ---- What the hands ask for -----------------------------------------------------------------

  private aim(x: number, y: number): void {
    const point = new THREE.Vector2((x / this.width) * 2 - 1, 1 - (y / this.height) * 2);
    this.ray.setFromCamera(point, this.eye.camera);
  }

  private squareUnder(point: THREE.Vector3): Square | null {
    const [file, rank] = [Math.floor(point.x + 4), Math.floor(4 - point.z)];
    return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? squareAt(file, rank) : null;
  }

  hit(x: number, y: number): Hit {
    this.aim(x, y);
    const point = this.ray.ray.intersectPlane(this.ground, new THREE.Vector3());
    return { man: this.crowd.hit(this.ray)?.square ?? null, ground: point && this.squareUnder(point) };
  }

  selected(): Square | null {
    return this.state.selected;
  }

  private premoves(square: Square): boolean {
    const man = this.crowd.get(square);
    return !!man && man.color === this.state.premovable && man.color !== this.state.turn;
  }

  canLift(square: Square): boolean {
    const man = this.crowd.get(square);
    if (!man) return false;
    const { movable, turn } = this.state;
    return ((movable === 'both' || movable === man.color) && man.color === turn) || this.premoves(square);
  }

  canDraw(): boolean {
    return this.state.drawable;
  }

  canDrop(from: Square, to: Square): boolean {
    if (this.premoves(from)) return from !== to;
    return this.state.dests.get(from)?.includes(to) ?? false;
  }

  select(square: Square | null): void {
    if (square === this.state.selected) return;
    this.state = { ...this.state, selected: square };
    this.refresh();
    this.events.onSelect(square);
  }

  background(): void {
    if (this.state.premove) this.events.onPremove(null);
    if (this.state.drawable && this.state.shapes.length) this.events.onShapes([]);
  }

  drop(from: Square, to: Square | null, dragged: boolean): void {
    this.release();
    const ms = this.state.animationMs;
    if (!to || to === from) {
      if (dragged) this.crowd.settle(from, ms);
      this.refresh();
      return;
    }
    if (!this.canDrop(from, to)) {
      this.crowd.settle(from, ms);
      this.select(null);
      this.refresh();
      this.events.onIllegal(from, to);
      return;
    }
    if (this.premoves(from)) {
      this.crowd.settle(from, ms);
      this.select(null);
      this.events.onPremove([from, to]);
      return;
    }
    this.crowd.move(from, to, dragged ? Math.min(ms, 90) : ms);
    this.state = { ...this.state, selected: null };
    this.refresh();
    this.events.onMove(from, to);
  }

  lift(square: Square, x: number, y: number): void {
    const man = this.crowd.get(square);
    if (!man) return;
    this.motion.finish(man);
    this.aim(x, y);
    const found = this.crowd.hit(this.ray);
    const point =
      found?.square === square ? found.point : this.ray.ray.intersectPlane(this.ground, new THREE.Vector3());
    if (!point) return;
    const plane = new THREE.Plane(new THREE.Vector3(0, 1, 0), -point.y);
    this.held = { square, plane, grip: point.clone().sub(man.body.position) };
    this.canvas.style.cursor = 'grabbing';
  }

  carry(x: number, y: number): Square | null {
    const man = this.held && this.crowd.get(this.held.square);
    if (!this.held || !man) return null;
    this.aim(x, y);
    const point = this.ray.ray.intersectPlane(this.held.plane, new THREE.Vector3());
    if (!point) return this.target;
    const foot = point.sub(this.held.grip);
    foot.x = Math.min(5.4, Math.max(-5.4, foot.x));
    foot.z = Math.min(5.4, Math.max(-5.4, foot.z));
    this.target = this.squareUnder(foot);
    this.crowd.put(man, foot.setY(LIFT));
    this.changes++;
    this.refresh();
    return this.target;
  }

  private release(): void {
    this.changes++;
    this.held = null;
    this.target = null;
    this.canvas.style.cursor = '';
  }

  hover(square: Square | null): void {
    this.canvas.style.cursor = square && this.canLift(square) ? 'grab' : '';
    this.events.onHover(square);
  }

  orbit(dx: number, dy: number): void {
    this.motion.finish(this.eye);
    this.eye.orbit(dx, dy);
    this.invalidate();
  }

  zoom(factor: number): void {
    this.motion.finish(this.eye);
    this.eye.scale(factor);
    this.invalidate();
  }

  draw(from: Square, to: Square | null, brush: Brush, done: boolean): void {
    const shape: Shape | null = to ? (to === from ? { from, brush } : { from, to, brush }) : null;
    this.sketch = done ? null : shape;
    if (!done || !shape) {
      this.refresh();
      return;
    }
    const mine = this.state.shapes.filter(s => ['green', 'red', 'blue', 'yellow'].includes(s.brush));
    const same = (s: Shape): boolean => s.from === shape.from && s.to === shape.to;
    const old = mine.find(same);
    const rest = mine.filter(s => !same(s));
    this.refresh();
    this.events.onShapes(old && old.brush === brush ? rest : [...rest, shape]);
  }
}

export const mount3d = ((element, state, events, look) =>
  new Board3D(element, state, events, look)) satisfies MountBoard;
