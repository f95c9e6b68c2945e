// The eye: it circles round the middle of the board within limits. Angles are kept apart from the camera
// itself so that a turn can be animated and undone.

import * as THREE from 'three';
import type { Color } from '../board';
import { ease, type Motion } from './motion';

const POLAR_MIN = 0.04;
const POLAR_MAX = 1.32;
/** Low enough that a bishop is seen as a bishop and not as a disc. */
const POLAR_HOME = 0.74;
const ZOOM_MIN = 0.42;
const ZOOM_MAX = 1.5;
/** Half the board with its rim, and the height of the men to keep in view. */
const HALF = 4.62;
const HEAD_ROOM = 1.35;
/** So much of the view the board takes up. */
const FILL = 0.97;

export class Eye {
  readonly camera = new THREE.PerspectiveCamera(24, 1, 1, 80);
  /** The angle round the board: 0 behind White. */
  azimuth: number;
  private polar = POLAR_HOME;
  /** 1 shows the whole board; smaller is nearer. */
  private zoom = 1;
  private readonly target = new THREE.Vector3();
  private side: Color;

  constructor(
    side: Color,
    private readonly motion: Motion,
  ) {
    this.side = side;
    this.azimuth = Eye.home(side);
  }

  private static home(side: Color): number {
    return side === 'white' ? 0 : Math.PI;
  }

  /** Which side of the board is nearest: 0 White's, then counter-clockwise seen from above. */
  get quadrant(): number {
    return ((Math.round(this.azimuth / (Math.PI / 2)) % 4) + 4) % 4;
  }

  /** The view has this size now. */
  resize(width: number, height: number): void {
    this.camera.aspect = width / height;
    this.update();
  }

  /** The distance from which the whole board is in view, seen from the angles that the eye has. */
  private fit(): number {
    let low = 5;
    let high = 70;
    for (let i = 0; i < 20; i++) {
      const middle = (low + high) / 2;
      this.place(this.azimuth, this.polar, middle);
      if (this.covers() > FILL) low = middle;
      else high = middle;
    }
    return high;
  }

  /** How much of the view the board takes up (1: it touches an edge); shifts the target to centre it. */
  private covers(): number {
    const bounds = { left: 1e9, right: -1e9, low: 1e9, high: -1e9 };
    const corner = new THREE.Vector3();
    for (const [x, z] of [
      [-1, -1],
      [-1, 1],
      [1, -1],
      [1, 1],
    ] as const) {
      for (const y of [-0.35, HEAD_ROOM]) {
        // Men stand inside the rim.
        const half = y > 0 ? 3.9 : HALF;
        corner.set(x * half, y, z * half).project(this.camera);
        bounds.left = Math.min(bounds.left, corner.x);
        bounds.right = Math.max(bounds.right, corner.x);
        bounds.low = Math.min(bounds.low, corner.y);
        bounds.high = Math.max(bounds.high, corner.y);
      }
    }
    this.offCentre.set((bounds.right + bounds.left) / 2, (bounds.high + bounds.low) / 2);
    return Math.max((bounds.right - bounds.left) / 2, (bounds.high - bounds.low) / 2);
  }
  private readonly offCentre = new THREE.Vector2();

  private place(azimuth: number, polar: number, distance: number): void {
    const flat = Math.sin(polar) * distance;
    this.camera.position
      .set(Math.sin(azimuth) * flat, Math.cos(polar) * distance, Math.cos(azimuth) * flat)
      .add(this.target);
    // Near the top the board must not spin: the rank direction stays up.
    this.camera.up.set(-Math.sin(azimuth), 0.0001 + Math.sin(polar), -Math.cos(azimuth)).normalize();
    this.camera.lookAt(this.target);
    this.camera.clearViewOffset();
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld(true);
  }

  /** Puts the camera where the angles say, as far away as the board needs from there. */
  update(): void {
    this.place(this.azimuth, this.polar, this.fit() * this.zoom);
    this.covers();
    // Shift the picture, not the eye, so that the board is in the middle; less so from near, where it is not seen whole.
    const share = Math.min(1, Math.max(0, (this.zoom - 0.6) / 0.3));
    const [h, w] = [1000, 1000 * this.camera.aspect];
    this.camera.setViewOffset(w, h, (this.offCentre.x * share * w) / 2, (-this.offCentre.y * share * h) / 2, w, h);
    this.camera.updateProjectionMatrix();
  }

  /** Turns by hand: fractions of the view's height. */
  orbit(dx: number, dy: number): void {
    this.azimuth -= dx * Math.PI;
    this.polar = Math.min(POLAR_MAX, Math.max(POLAR_MIN, this.polar - dy * 2));
    this.update();
  }

  /** Nearer (factor < 1) or further. */
  scale(factor: number): void {
    this.zoom = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, this.zoom * factor));
    this.update();
  }

  private glide(azimuth: number, polar: number, zoom: number, ms: number): void {
    const from = { azimuth: this.azimuth, polar: this.polar, zoom: this.zoom };
    this.motion.run(this, ms, t => {
      const e = ease(t);
      this.azimuth = from.azimuth + (azimuth - from.azimuth) * e;
      this.polar = from.polar + (polar - from.polar) * e;
      this.zoom = from.zoom + (zoom - from.zoom) * e;
      this.update();
    });
  }

  /** To the next of the four sides. */
  turn(ms: number): void {
    this.motion.finish(this);
    const next = (Math.round(this.azimuth / (Math.PI / 2)) + 1) * (Math.PI / 2);
    this.glide(next, this.polar, this.zoom, ms);
  }

  /** Behind the side at the bottom, the whole board in view. */
  reset(ms: number): void {
    this.motion.finish(this);
    const full = 2 * Math.PI;
    const home = Eye.home(this.side);
    this.glide(home + Math.round((this.azimuth - home) / full) * full, POLAR_HOME, 1, ms);
  }

  /** The other side is at the bottom now. */
  face(side: Color, ms: number): void {
    if (side === this.side) return;
    this.side = side;
    this.motion.finish(this);
    this.glide(this.azimuth + Math.PI, this.polar, this.zoom, ms);
  }
}
