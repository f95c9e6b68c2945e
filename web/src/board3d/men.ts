// The Staunton set: the shape of each man, made once and shared by all men of its kind. One unit is the
// side of a square; the foot stands on y = 0. Heights and widths keep the proportions of a tournament set:
// the king is as high as two pawns, and his foot covers three quarters of a square.

import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Role } from '../board';
import { carve, join, length, polygonise } from './implicit';
import { knightHead } from './knight';
import { lathe, Profile } from './lathe';

export type Quality = 'low' | 'high';

/** Height of each man and radius of his foot, for picking and for the camera. */
export const SIZE: Record<Role, { readonly height: number; readonly radius: number }> = {
  king: { height: 1.66, radius: 0.385 },
  queen: { height: 1.42, radius: 0.37 },
  bishop: { height: 1.2, radius: 0.335 },
  knight: { height: 1.15, radius: 0.345 },
  rook: { height: 0.98, radius: 0.345 },
  pawn: { height: 0.84, radius: 0.29 },
};

/** How finely the shapes are cut. */
const FINE: Record<Quality, { segments: number; cell: number; bevel: number }> = {
  high: { segments: 64, cell: 0.0115, bevel: 3 },
  low: { segments: 28, cell: 0.021, bevel: 1 },
};

/** Plinth, bead and step: the foot that all men share. The profile ends at the foot of the stem. */
function foot(radius: number, height: number): Profile {
  const h = height;
  return new Profile(0, 0)
    .line(radius - 0.02, 0)
    .curve([radius - 0.005, 0], [radius, 0.008], [radius, 0.025], 4)
    .line(radius, h * 0.36)
    .curve([radius, h * 0.42], [radius - 0.008, h * 0.44], [radius - 0.024, h * 0.45], 4)
    .line(radius - 0.04, h * 0.45)
    .bead([radius - 0.062, h * 0.82], 0.03)
    .line(radius - 0.085, h * 0.84)
    .line(radius - 0.09, h * 0.98);
}

/** A collar: a thin disc with a round edge, `reach` wider than the stem below and above it. */
function collar(p: Profile, stem: number, reach: number, y: number, thick: number): Profile {
  return p
    .curve([stem + reach * 0.25, y - 0.03], [stem + reach * 0.5, y - 0.012], [stem + reach, y], 6)
    .bead([stem + reach - 0.006, y + thick], thick * 0.45, 7);
}

function merge(parts: THREE.BufferGeometry[]): THREE.BufferGeometry {
  const plain = parts.map(part => {
    const g = part.index ? part : part.clone().setIndex([...Array(part.getAttribute('position').count).keys()]);
    g.deleteAttribute('uv');
    return g;
  });
  const merged = mergeGeometries(plain);
  if (!merged) throw new Error('shapes do not fit together');
  parts.forEach(part => part.dispose());
  return merged;
}

function pawn(fine: (typeof FINE)[Quality]): THREE.BufferGeometry {
  const p = foot(0.29, 0.17);
  p.curve([0.155, 0.2], [0.115, 0.33], [0.1, 0.5], 14);
  collar(p, 0.1, 0.075, 0.535, 0.03);
  p.line(0.115, 0.572);
  // The ball, from where the neck meets it to the top.
  const [cy, r] = [0.69, 0.152];
  const from = Math.asin(0.105 / r);
  for (let i = 0; i <= 22; i++) {
    const a = from + ((Math.PI - from) * i) / 22;
    p.line(r * Math.sin(a), cy - r * Math.cos(a));
  }
  return lathe(p.points, fine.segments);
}

function rook(fine: (typeof FINE)[Quality]): THREE.BufferGeometry {
  const p = foot(0.345, 0.19);
  p.curve([0.225, 0.23], [0.19, 0.34], [0.18, 0.64], 14);
  collar(p, 0.18, 0.055, 0.675, 0.032);
  p.line(0.2, 0.712)
    .curve([0.2, 0.735], [0.228, 0.745], [0.247, 0.775], 5)
    .line(0.252, 0.862)
    .line(0.175, 0.862)
    .line(0.17, 0.825)
    .curve([0.1, 0.815], [0.05, 0.812], [0, 0.812], 4);
  const parts = [lathe(p.points, fine.segments)];
  // Six merlons on the wall.
  const count = 6;
  const half = ((Math.PI * 2) / count) * 0.325;
  for (let i = 0; i < count; i++) {
    const middle = (i * Math.PI * 2) / count + 0.26;
    const shape = new THREE.Shape();
    shape.absarc(0, 0, 0.24, middle - half, middle + half, false);
    shape.absarc(0, 0, 0.187, middle + half, middle - half, true);
    const merlon = new THREE.ExtrudeGeometry(shape, {
      depth: 0.105,
      curveSegments: fine.bevel * 3,
      bevelSize: 0.012,
      bevelThickness: 0.012,
      bevelSegments: fine.bevel,
    });
    merlon.rotateX(-Math.PI / 2);
    merlon.translate(0, 0.863, 0);
    parts.push(merlon);
  }
  return merge(parts);
}

function bishop(fine: (typeof FINE)[Quality]): THREE.BufferGeometry {
  const p = foot(0.335, 0.19);
  p.curve([0.19, 0.225], [0.13, 0.36], [0.108, 0.64], 16);
  collar(p, 0.108, 0.098, 0.688, 0.03);
  p.line(0.15, 0.722).bead([0.135, 0.762], 0.016, 6);
  p.line(0.1, 0.768).line(0.1, 0.8).line(0, 0.8);
  // The mitre: an egg with a slanting cut, and the bead on its point.
  const [cx, cy] = [0.075, 0.985];
  const mitre = polygonise(
    (x, y, z) => {
      const t = Math.min(1, Math.max(0, (y - 0.79) / 0.33));
      const around = length(x, z);
      const radius =
        0.1 + 0.072 * Math.sin(Math.min(1, t / 0.36) * (Math.PI / 2)) - 0.172 * Math.max(0, (t - 0.3) / 0.7) ** 1.9;
      let f = Math.max((around - radius) * 0.8, 0.775 - y, y - 1.125);
      // The cut slants down from the front (+x) towards the axis.
      const u = (x - cx) * 0.62 + (y - cy) * 0.785;
      const v = -(x - cx) * 0.785 + (y - cy) * 0.62;
      f = carve(f, Math.max(Math.abs(v) - 0.019, -0.075 - u, -0.02 - x), 0.01);
      const ball = length(around, y - 1.148) - 0.05;
      return join(f, ball, 0.016);
    },
    [-0.2, 0.76, -0.2],
    [0.2, 1.215, 0.2],
    fine.cell * 0.9,
  );
  return merge([lathe(p.points, fine.segments), mitre]);
}

function queen(fine: (typeof FINE)[Quality]): THREE.BufferGeometry {
  const p = foot(0.37, 0.21);
  p.curve([0.215, 0.25], [0.145, 0.42], [0.122, 0.78], 18);
  collar(p, 0.122, 0.108, 0.838, 0.032);
  p.line(0.165, 0.874).bead([0.15, 0.91], 0.015, 6);
  p.line(0.112, 0.916).line(0.118, 0.955);
  const body = lathe(p.points, fine.segments);
  // The coronet flares, opens in points round a domed cap, and carries a ball.
  const crown = new Profile(0.118, 0.95)
    .curve([0.125, 1.06], [0.165, 1.13], [0.222, 1.225], 12)
    .curve([0.228, 1.238], [0.222, 1.246], [0.21, 1.246], 4)
    .curve([0.19, 1.24], [0.18, 1.215], [0.172, 1.2], 5)
    .curve([0.15, 1.232], [0.1, 1.275], [0.045, 1.295], 8)
    .line(0, 1.3);
  const points = 9;
  const coronet = lathe(crown.points, fine.segments === 64 ? 108 : 45, (r, y, a) => {
    // Only the rim is cut: a round notch between the points.
    const rim = Math.min(1, Math.max(0, (y - 1.16) / 0.085)) * (r > 0.171 ? 1 : 0);
    const notch = (0.5 - 0.5 * Math.cos(points * a)) ** 1.6;
    return [r + rim * 0.012 * (1 - notch) - rim * 0.008 * notch, y - rim * 0.052 * notch];
  });
  const ball = new THREE.SphereGeometry(0.062, fine.segments / 2, fine.segments / 3);
  ball.translate(0, 1.352, 0);
  return merge([body, coronet, ball]);
}

function king(fine: (typeof FINE)[Quality]): THREE.BufferGeometry {
  const p = foot(0.385, 0.22);
  p.curve([0.23, 0.26], [0.155, 0.46], [0.132, 0.86], 18);
  collar(p, 0.132, 0.112, 0.92, 0.034);
  p.line(0.18, 0.958).bead([0.165, 0.996], 0.016, 6);
  p.line(0.124, 1.002)
    .line(0.128, 1.04)
    .curve([0.135, 1.16], [0.17, 1.25], [0.212, 1.335], 12)
    .curve([0.218, 1.35], [0.214, 1.358], [0.202, 1.362], 4)
    .curve([0.16, 1.385], [0.1, 1.415], [0.052, 1.425], 8)
    .line(0.046, 1.432)
    .bead([0.04, 1.462], 0.012, 6)
    .line(0, 1.465);
  return merge([lathe(p.points, fine.segments), cross(fine)]);
}

/** The king's cross: arms that widen outwards, with bevelled edges. */
function cross(fine: (typeof FINE)[Quality]): THREE.BufferGeometry {
  const [inner, outer, reach] = [0.021, 0.043, 0.094];
  const shape = new THREE.Shape();
  for (let arm = 0; arm < 4; arm++) {
    const turn = (arm * Math.PI) / 2;
    const long = arm === 3 ? reach + 0.012 : reach;
    for (const [x, y] of [
      [-inner, inner],
      [-outer, long],
      [outer, long],
    ] as const) {
      const px = x * Math.cos(-turn) - y * Math.sin(-turn);
      const py = x * Math.sin(-turn) + y * Math.cos(-turn);
      if (arm === 0 && x === -inner) shape.moveTo(px, py);
      else shape.lineTo(px, py);
    }
  }
  shape.closePath();
  const geometry = new THREE.ExtrudeGeometry(shape, {
    depth: 0.034,
    bevelSize: 0.009,
    bevelThickness: 0.012,
    bevelSegments: fine.bevel,
  });
  geometry.translate(0, 1.556, -0.017);
  return geometry;
}

function knight(fine: (typeof FINE)[Quality]): THREE.BufferGeometry {
  const p = foot(0.345, 0.19).curve([0.25, 0.2], [0.2, 0.212], [0, 0.215], 5);
  return merge([lathe(p.points, fine.segments), knightHead(fine.cell)]);
}

const MAKERS: Record<Role, (fine: (typeof FINE)[Quality]) => THREE.BufferGeometry> = {
  king,
  queen,
  rook,
  bishop,
  knight,
  pawn,
};

/** The set at one quality; shapes are made when first asked for. */
export class MenShapes {
  private readonly made = new Map<Role, THREE.BufferGeometry>();

  constructor(private readonly quality: Quality) {}

  get(role: Role): THREE.BufferGeometry {
    let geometry = this.made.get(role);
    if (!geometry) {
      geometry = MAKERS[role](FINE[this.quality]);
      this.made.set(role, geometry);
    }
    return geometry;
  }

  dispose(): void {
    this.made.forEach(geometry => geometry.dispose());
    this.made.clear();
  }
}
