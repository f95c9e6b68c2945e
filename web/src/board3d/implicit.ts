// Carved shapes: the surface where a field is zero (negative inside), as a mesh. Used for what a lathe
// cannot turn: the knight's head and the bishop's mitre. The method is surface nets: one vertex in each
// cell that the surface passes, at the mean of its crossings; normals come from the field.

import * as THREE from 'three';

export type Field = (x: number, y: number, z: number) => number;
export type Vec = readonly [number, number, number];

/** Math.hypot is many times slower, and nothing here is near its limits. */
export function length(x: number, y: number, z = 0): number {
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * The mesh of `field` = 0 inside the box from `min` to `max`, with cells of size `step`. The field is the same on
 * both sides of z = 0, and so is the box: one half is computed.
 */
export function polygonise(field: Field, min: Vec, max: Vec, step: number): THREE.BufferGeometry {
  const size = [0, 1, 2].map(k => Math.ceil(((max[k] as number) - (min[k] as number)) / step) + 1);
  const [nx, ny, nz] = size as [number, number, number];
  const origin: Vec = [min[0], min[1], (-(nz - 1) * step) / 2];
  const values = new Float32Array(nx * ny * nz);
  // z runs fastest: a field may keep what depends on x and y alone.
  for (let i = 0, row = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++, row += nz) {
      for (let k = 0; 2 * k < nz; k++) {
        const value = field(origin[0] + i * step, origin[1] + j * step, origin[2] + k * step);
        values[row + k] = value;
        values[row + nz - 1 - k] = value;
      }
    }
  }
  const stride = [ny * nz, nz, 1] as const;
  const vertexOf = new Int32Array(nx * ny * nz).fill(-1);
  const positions: number[] = [];
  const corner = [0, 1, 2, 3, 4, 5, 6, 7].map(
    c => (c & 1) * stride[0] + ((c >> 1) & 1) * stride[1] + ((c >> 2) & 1) * stride[2],
  );
  const edges: [number, number][] = [];
  for (let a = 0; a < 8; a++) for (const bit of [1, 2, 4]) if (!(a & bit)) edges.push([a, a | bit]);

  for (let i = 0; i + 1 < nx; i++) {
    for (let j = 0; j + 1 < ny; j++) {
      for (let k = 0; k + 1 < nz; k++) {
        const at = i * stride[0] + j * stride[1] + k;
        let x = 0,
          y = 0,
          z = 0,
          count = 0;
        for (const [a, b] of edges) {
          const va = values[at + (corner[a] as number)] as number;
          const vb = values[at + (corner[b] as number)] as number;
          if (va < 0 === vb < 0) continue;
          const t = va / (va - vb);
          x += (a & 1) + t * ((b & 1) - (a & 1));
          y += ((a >> 1) & 1) + t * (((b >> 1) & 1) - ((a >> 1) & 1));
          z += ((a >> 2) & 1) + t * (((b >> 2) & 1) - ((a >> 2) & 1));
          count++;
        }
        if (!count) continue;
        vertexOf[at] = positions.length / 3;
        positions.push(
          origin[0] + (i + x / count) * step,
          origin[1] + (j + y / count) * step,
          origin[2] + (k + z / count) * step,
        );
      }
    }
  }

  const index: number[] = [];
  const quad = (at: number, u: number, v: number, flip: boolean): void => {
    const a = vertexOf[at] as number;
    const b = vertexOf[at - u] as number;
    const c = vertexOf[at - u - v] as number;
    const d = vertexOf[at - v] as number;
    if (a < 0 || b < 0 || c < 0 || d < 0) return;
    if (flip) index.push(a, b, c, a, c, d);
    else index.push(a, c, b, a, d, c);
  };
  for (let i = 1; i + 1 < nx; i++) {
    for (let j = 1; j + 1 < ny; j++) {
      for (let k = 1; k + 1 < nz; k++) {
        const at = i * stride[0] + j * stride[1] + k;
        const here = (values[at] as number) < 0;
        for (let axis = 0; axis < 3; axis++) {
          const there = (values[at + (stride[axis] as number)] as number) < 0;
          if (here === there) continue;
          quad(at, stride[(axis + 1) % 3] as number, stride[(axis + 2) % 3] as number, here);
        }
      }
    }
  }

  /** The field between the grid's points. */
  const sample = (x: number, y: number, z: number): number => {
    const [u, v, w] = [(x - origin[0]) / step, (y - origin[1]) / step, (z - origin[2]) / step];
    const i = Math.min(nx - 2, Math.max(0, Math.floor(u)));
    const j = Math.min(ny - 2, Math.max(0, Math.floor(v)));
    const k = Math.min(nz - 2, Math.max(0, Math.floor(w)));
    const at = i * stride[0] + j * stride[1] + k;
    const along = (from: number): number => {
      const [a, b] = [values[from] as number, values[from + 1] as number];
      return a + (b - a) * (w - k);
    };
    const near = along(at) + (along(at + stride[1]) - along(at)) * (v - j);
    const far = along(at + stride[0]) + (along(at + stride[0] + stride[1]) - along(at + stride[0])) * (v - j);
    return near + (far - near) * (u - i);
  };
  const normals = new Float32Array(positions.length);
  for (let v = 0; v < positions.length; v += 3) {
    const [x, y, z] = [positions[v] as number, positions[v + 1] as number, positions[v + 2] as number];
    const gx = sample(x + step, y, z) - sample(x - step, y, z);
    const gy = sample(x, y + step, z) - sample(x, y - step, z);
    const gz = sample(x, y, z + step) - sample(x, y, z - step);
    const steep = length(gx, gy, gz) || 1;
    normals.set([gx / steep, gy / steep, gz / steep], v);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(normals, 3));
  geometry.setIndex(index);
  return geometry;
}

/** Union of two fields with a rounded inner edge of about `k`. */
export function join(a: number, b: number, k: number): number {
  const h = Math.max(k - Math.abs(a - b), 0) / k;
  return Math.min(a, b) - h * h * k * 0.25;
}

/** `a` with `b` taken out, with a rounded edge of about `k`. */
export function carve(a: number, b: number, k: number): number {
  return -join(-a, b, k);
}

/** Distance to an ellipsoid (near enough for smooth joins). */
export function ellipsoid(x: number, y: number, z: number, centre: Vec, radii: Vec): number {
  const [px, py, pz] = [(x - centre[0]) / radii[0], (y - centre[1]) / radii[1], (z - centre[2]) / radii[2]];
  const k0 = length(px, py, pz);
  const k1 = length(px / radii[0], py / radii[1], pz / radii[2]);
  return k1 === 0 ? -Math.min(...radii) : (k0 * (k0 - 1)) / k1;
}

/** Distance to the segment from a to b, its radius running from ra to rb. */
export function cone(x: number, y: number, z: number, a: Vec, b: Vec, ra: number, rb: number): number {
  const [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const t = Math.min(
    1,
    Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy + (z - a[2]) * dz) / (dx * dx + dy * dy + dz * dz)),
  );
  return length(x - a[0] - t * dx, y - a[1] - t * dy, z - a[2] - t * dz) - (ra + t * (rb - ra));
}

/** 0 below a, 1 above b, smooth between (also with a > b, then falling). */
export function ramp(a: number, b: number, v: number): number {
  const t = Math.min(1, Math.max(0, (v - a) / (b - a)));
  return t * t * (3 - 2 * t);
}
