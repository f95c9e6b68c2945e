// The knight's head, carved as a sculptor would: a horse's silhouette is cut from the block, its sides are
// rounded to a thickness that changes from chest to muzzle, and then the cheek, eye, nostril, mouth, ears
// and mane are worked out. It looks along +x; z is across.

import * as THREE from 'three';
import { carve, cone, ellipsoid, join, length, polygonise, ramp, type Field } from './implicit';

/** The silhouette from the chest over the muzzle, forehead and crest down the back. */
const OUTLINE: readonly (readonly [number, number])[] = [
  [0.262, 0.1],
  [0.265, 0.2],
  [0.258, 0.29],
  [0.222, 0.385],
  [0.165, 0.47],
  [0.118, 0.54],
  [0.098, 0.598],
  [0.112, 0.638],
  [0.16, 0.642],
  [0.215, 0.618],
  [0.262, 0.59],
  [0.302, 0.572],
  [0.345, 0.575],
  [0.376, 0.605],
  [0.386, 0.652],
  [0.372, 0.702],
  [0.335, 0.757],
  [0.287, 0.82],
  [0.24, 0.889],
  [0.2, 0.955],
  [0.158, 1.005],
  [0.11, 1.035],
  [0.05, 1.045],
  [-0.02, 1.032],
  [-0.095, 0.99],
  [-0.165, 0.922],
  [-0.222, 0.83],
  [-0.26, 0.72],
  [-0.28, 0.6],
  [-0.285, 0.47],
  [-0.28, 0.34],
  [-0.272, 0.2],
  [-0.27, 0.1],
];

/** A closed smooth curve through the points, as a polygon. */
function spline(points: readonly (readonly [number, number])[], steps: number): [number, number][] {
  const n = points.length;
  const out: [number, number][] = [];
  for (let i = 0; i < n; i++) {
    const p = [-1, 0, 1, 2].map(k => points[(i + k + n) % n] as readonly [number, number]);
    // The bottom is straight: it disappears in the base.
    const straight = i === n - 1;
    for (let s = 0; s < steps; s++) {
      const t = s / steps;
      const at = (k: 0 | 1): number => {
        const [a, b, c, d] = p.map(q => q[k]) as [number, number, number, number];
        if (straight) return b + (c - b) * t;
        return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t);
      };
      out.push([at(0), at(1)]);
    }
  }
  return out;
}

/** Signed distance to a polygon: negative inside. */
function polygonDistance(polygon: readonly [number, number][], x: number, y: number): number {
  let best = Infinity;
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [ax, ay] = polygon[j] as [number, number];
    const [bx, by] = polygon[i] as [number, number];
    const dx = bx - ax;
    const dy = by - ay;
    const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    const px = x - ax - t * dx;
    const py = y - ay - t * dy;
    best = Math.min(best, px * px + py * py);
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return (inside ? -1 : 1) * Math.sqrt(best);
}

/** Half the thickness of the block at a place of the silhouette. */
function thickness(x: number, y: number): number {
  const neck = 0.268 - 0.105 * ramp(0.15, 0.78, y);
  const head = 0.158 - 0.062 * ramp(0.1, 0.36, x + (0.85 - y) * 0.25);
  const isHead = ramp(0.52, 0.72, y) * ramp(-0.02, 0.16, x);
  // The cheek stands out, the face before it is hollow.
  const cheek = 0.03 * Math.exp(-(((x - 0.115) / 0.085) ** 2) - ((y - 0.752) / 0.1) ** 2);
  const hollow = -0.016 * Math.exp(-(((x - 0.25) / 0.05) ** 2) - ((y - 0.76) / 0.07) ** 2);
  const lips = 0.012 * Math.exp(-(((x - 0.345) / 0.05) ** 2) - ((y - 0.65) / 0.06) ** 2);
  return neck * (1 - isHead) + head * isHead + cheek + hollow + lips;
}

/** Depth of the mane's relief: a raised band along the crest, cut into locks. */
function mane(x: number, y: number, edge: number): number {
  const cx = x + 0.02;
  const cy = y - 0.5;
  const angle = Math.atan2(cy, -cx);
  const front = -0.1 + 0.17 * ramp(0.5, 1.05, y);
  const behind = ramp(front + 0.03, front - 0.03, x) * ramp(0.2, 0.3, y) * ramp(1.07, 1.0, y);
  const band = ramp(0.135, 0.115, edge) * behind;
  const lock = Math.sin(angle * 17 + edge * 26);
  return band * (0.021 + 0.016 * lock);
}

/** The field of the head, with what depends on x and y alone computed once for each column. */
function headField(): Field {
  const polygon = spline(OUTLINE, 5);
  const columns = new Map<number, [number, number]>();
  const column = (x: number, y: number): [number, number] => {
    const key = Math.round(x * 8000) * 20000 + Math.round(y * 8000);
    let entry = columns.get(key);
    if (!entry) {
      const distance = polygonDistance(polygon, x, y);
      entry = [distance, thickness(x, y) + mane(x, y, -distance)];
      columns.set(key, entry);
    }
    return entry;
  };
  return (x, y, signed) => {
    const z = Math.abs(signed);
    const [distance, thick] = column(x, y);
    // Round the edge of the block over a radius that is smaller at the muzzle.
    const round = 0.15 - 0.05 * ramp(0.2, 0.36, x);
    const across = z / thick;
    const along = Math.max(0, (distance + round) / round);
    let f = (length(along, across) - 1) * Math.min(round, thick);

    // Nothing is carved into the neck, nor far from the surface (the ears stand up out of it).
    if (y < 0.55 || (y < 0.98 && Math.abs(f) > 0.07)) return f;
    // Ears: leaves that stand up and a little apart, hollow in front.
    const ear = cone(x, y, z, [0.055, 1.0, 0.07], [0.1, 1.142, 0.088], 0.047, 0.006);
    f = join(f, ear, 0.03);
    f = carve(f, cone(x, y, z, [0.112, 1.02, 0.085], [0.128, 1.12, 0.096], 0.02, 0.004), 0.012);
    // Forelock between them.
    f = join(f, ellipsoid(x, y, z, [0.135, 1.02, 0], [0.05, 0.04, 0.04]), 0.03);
    // Brow, socket and eye.
    f = join(f, cone(x, y, z, [0.135, 0.962, 0.118], [0.212, 0.93, 0.1], 0.016, 0.01), 0.03);
    f = carve(f, ellipsoid(x, y, z, [0.178, 0.912, 0.142], [0.042, 0.03, 0.03]), 0.015);
    f = join(f, ellipsoid(x, y, z, [0.176, 0.912, 0.115], [0.026, 0.022, 0.02]), 0.006);
    // Nostril and mouth.
    f = carve(f, ellipsoid(x, y, z, [0.352, 0.69, 0.098], [0.017, 0.024, 0.03]), 0.016);
    f = carve(f, cone(x, y, 0, [0.4, 0.628, 0], [0.272, 0.648, 0], 0.013, 0.006), 0.014);
    // The line of the jaw behind the cheek.
    f = carve(f, cone(x, y, z, [0.05, 0.72, 0.196], [0.052, 0.83, 0.192], 0.02, 0.016), 0.04);
    return f;
  };
}

/** The head as a mesh; `step` is the size of its cells. */
export function knightHead(step: number): THREE.BufferGeometry {
  return polygonise(headField(), [-0.34, 0.12, -0.32], [0.44, 1.19, 0.32], step);
}
