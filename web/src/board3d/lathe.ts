// Turned shapes: a profile (radius, height) spun round the y axis. Unlike a plain lathe it keeps the
// sharp edges of the profile sharp, as a chisel leaves them, and can bend the result (a queen's coronet).

import * as THREE from 'three';

/** A point of a profile: distance from the axis, height. */
export type Point = readonly [number, number];

/** Moves a point of the surface; `angle` is its place round the axis. */
export type Bend = (radius: number, height: number, angle: number) => Point;

/** Draws a profile from the bottom upwards with lines, curves and mouldings. */
export class Profile {
  readonly points: Point[] = [];

  constructor(radius: number, height: number) {
    this.points.push([radius, height]);
  }

  private last(): Point {
    return this.points[this.points.length - 1] as Point;
  }

  line(radius: number, height: number): this {
    this.points.push([radius, height]);
    return this;
  }

  /** A cubic curve; `a` and `b` are its control points. */
  curve(a: Point, b: Point, end: Point, steps = 12): this {
    const [r0, y0] = this.last();
    for (let i = 1; i <= steps; i++) {
      const t = i / steps;
      const u = 1 - t;
      const [k0, k1, k2, k3] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      this.points.push([k0 * r0 + k1 * a[0] + k2 * b[0] + k3 * end[0], k0 * y0 + k1 * a[1] + k2 * b[1] + k3 * end[1]]);
    }
    return this;
  }

  /** A half-round moulding from here to `end`, standing out by `bulge` (a bead; negative: a groove). */
  bead(end: Point, bulge: number, steps = 9): this {
    const [r0, y0] = this.last();
    const dr = end[0] - r0;
    const dy = end[1] - y0;
    const length = Math.hypot(dr, dy) || 1;
    for (let i = 1; i <= steps; i++) {
      const angle = (Math.PI * i) / steps;
      const along = (1 - Math.cos(angle)) / 2;
      const out = Math.sin(angle) * bulge;
      this.points.push([r0 + dr * along + (dy / length) * out, y0 + dy * along - (dr / length) * out]);
    }
    return this;
  }
}

/** Angle between two edges of a profile above which the edge between them stays sharp. */
const SHARP = (32 * Math.PI) / 180;

/** Splits a profile at its sharp edges. */
function smoothRuns(points: readonly Point[]): Point[][] {
  const runs: Point[][] = [];
  let run: Point[] = [];
  points.forEach((point, i) => {
    run.push(point);
    const before = points[i - 1];
    const after = points[i + 1];
    if (!before || !after) return;
    const a = Math.atan2(point[1] - before[1], point[0] - before[0]);
    const b = Math.atan2(after[1] - point[1], after[0] - point[0]);
    const turn = Math.abs(Math.atan2(Math.sin(b - a), Math.cos(b - a)));
    if (turn > SHARP) {
      runs.push(run);
      run = [point];
    }
  });
  runs.push(run);
  return runs.filter(r => r.length > 1);
}

/** Spins a profile round the y axis in `segments` steps. */
export function lathe(points: readonly Point[], segments: number, bend?: Bend): THREE.BufferGeometry {
  const positions: number[] = [];
  const normals: number[] = [];
  const index: number[] = [];
  const at = (point: Point, angle: number): THREE.Vector3 => {
    const [r, y] = bend ? bend(point[0], point[1], angle) : point;
    return new THREE.Vector3(r * Math.sin(angle), y, r * Math.cos(angle));
  };
  const step = 1e-3;
  for (const run of smoothRuns(points)) {
    const base = positions.length / 3;
    run.forEach((point, i) => {
      const below = run[Math.max(0, i - 1)] as Point;
      const above = run[Math.min(run.length - 1, i + 1)] as Point;
      for (let s = 0; s <= segments; s++) {
        const angle = (s / segments) * 2 * Math.PI;
        const p = at(point, angle);
        positions.push(p.x, p.y, p.z);
        const up = at(above, angle).sub(at(below, angle));
        // On the axis the step round it has no length: take the one just outside.
        const probe: Point = [Math.max(point[0], 1e-3), point[1]];
        const round = at(probe, angle + step).sub(at(probe, angle - step));
        const n = round.cross(up).normalize();
        normals.push(n.x, n.y, n.z);
      }
    });
    const row = segments + 1;
    for (let i = 0; i + 1 < run.length; i++) {
      for (let s = 0; s < segments; s++) {
        const a = base + i * row + s;
        index.push(a, a + 1, a + row, a + 1, a + row + 1, a + row);
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
  geometry.setIndex(index);
  return geometry;
}
