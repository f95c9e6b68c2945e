// The men on the board: which stand where, and how they get from one position to the next. It knows no
// rules: it compares the men shown with the men wanted and moves each to its nearest new place.

import * as THREE from 'three';
import { readPieces, squareXY, type Color, type Piece, type Role, type Square } from '../board';
import { blobTexture, manMaterial } from './materials';
import { MenShapes, SIZE, type Quality } from './men';
import { ease, type Motion } from './motion';

export interface Man {
  readonly color: Color;
  readonly role: Role;
  readonly body: THREE.Mesh;
  readonly shade: THREE.Mesh;
}

/** Where a square's middle is. */
export function spot(square: Square): THREE.Vector3 {
  const [file, rank] = squareXY(square);
  return new THREE.Vector3(file - 3.5, 0, 3.5 - rank);
}

export class Crowd {
  readonly group = new THREE.Group();
  private readonly men = new Map<Square, Man>();
  private readonly shapes: MenShapes;
  private readonly materials: Record<Color, THREE.Material>;
  private readonly shadeMaterial: THREE.MeshBasicMaterial;
  private readonly shadeShape: THREE.PlaneGeometry;
  private leaving = new Set<Man>();

  constructor(
    quality: Quality,
    private readonly motion: Motion,
  ) {
    this.shapes = new MenShapes(quality);
    this.materials = { white: manMaterial('white', quality), black: manMaterial('black', quality) };
    // A dark ring of shade at the foot parts a man from his square, also where real shadows fall elsewhere.
    this.shadeMaterial = new THREE.MeshBasicMaterial({
      map: blobTexture(false),
      transparent: true,
      opacity: quality === 'low' ? 0.6 : 0.45,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -6,
    });
    this.shadeShape = new THREE.PlaneGeometry(1, 1).rotateX(-Math.PI / 2) as THREE.PlaneGeometry;
  }

  has(square: Square): boolean {
    return this.men.has(square);
  }

  get(square: Square): Man | undefined {
    return this.men.get(square);
  }

  /** The square of the first man that a ray meets, with the point. */
  hit(ray: THREE.Raycaster): { square: Square; point: THREE.Vector3 } | null {
    let best: { square: Square; point: THREE.Vector3; distance: number } | null = null;
    for (const [square, man] of this.men) {
      const [found] = ray.intersectObject(man.body, false);
      if (found && (!best || found.distance < best.distance)) {
        best = { square, point: found.point, distance: found.distance };
      }
    }
    return best;
  }

  private make(piece: Piece, square: Square): Man {
    const body = new THREE.Mesh(this.shapes.get(piece.role), this.materials[piece.color]);
    body.castShadow = body.receiveShadow = true;
    body.rotation.y = facing(piece, square);
    const shade = new THREE.Mesh(this.shadeShape, this.shadeMaterial);
    const size = SIZE[piece.role].radius * 3.1;
    shade.scale.set(size, 1, size);
    shade.renderOrder = 3;
    this.group.add(shade);
    this.group.add(body);
    const man: Man = { color: piece.color, role: piece.role, body, shade };
    this.put(man, spot(square));
    return man;
  }

  /** Puts a man somewhere, his shade under him. */
  put(man: Man, place: THREE.Vector3): void {
    man.body.position.copy(place);
    man.shade.position.set(place.x, 0.006, place.z);
  }

  private remove(man: Man): void {
    this.group.remove(man.body);
    this.group.remove(man.shade);
    this.leaving.delete(man);
  }

  /** A taken man is lifted off to the side and shrinks away. */
  private take(man: Man, ms: number): void {
    this.motion.finish(man);
    if (ms <= 0) {
      this.remove(man);
      return;
    }
    this.leaving.add(man);
    const from = man.body.position.clone();
    const side = from.x >= 0 ? 1 : -1;
    const to = new THREE.Vector3(side * 5.1, 0.2, from.z);
    this.motion.run(
      man,
      ms * 1.5,
      t => {
        const wait = Math.max(0, (t - 0.25) / 0.75);
        const e = ease(wait);
        const place = from.clone().lerp(to, e);
        place.y += Math.sin(Math.PI * Math.min(1, e * 1.1)) * 1.1;
        this.put(man, place);
        man.body.scale.setScalar(Math.max(0.001, 1 - Math.max(0, wait - 0.35) / 0.65));
        man.body.rotation.z = -side * e * 0.9;
      },
      () => this.remove(man),
    );
  }

  /** Moves a man along an arc; knights and long ways go higher. */
  private walk(man: Man, to: THREE.Vector3, ms: number): void {
    this.motion.finish(man);
    const from = man.body.position.clone();
    const way = Math.hypot(to.x - from.x, to.z - from.z);
    if (ms <= 0 || way < 0.01) {
      this.motion.run(man, way < 0.01 && from.y > 0 ? ms * 0.4 : 0, t => this.put(man, from.clone().lerp(to, ease(t))));
      return;
    }
    const height = (man.role === 'knight' ? 1.25 : 0.32) + way * 0.05;
    this.motion.run(man, ms, t => {
      const e = ease(t);
      const place = from.clone().lerp(to, e);
      place.y = from.y * (1 - e) + Math.sin(Math.PI * e) * height;
      this.put(man, place);
    });
  }

  /** Moves one man by hand of the person: takes what stands there. */
  move(from: Square, to: Square, ms: number): void {
    const man = this.men.get(from);
    if (!man) return;
    const there = this.men.get(to);
    // Onto one's own man: castling by the rook. The page's answer will show where both go.
    if (there && there.color === man.color) return;
    if (there) this.take(there, ms);
    this.men.delete(from);
    this.men.set(to, man);
    this.walk(man, spot(to), ms);
  }

  /** Back to its square. */
  settle(square: Square, ms: number): void {
    const man = this.men.get(square);
    if (man) this.walk(man, spot(square), ms);
  }

  /** Shows the men of a FEN; those that changed their place walk there. False if all is as it was. */
  show(fen: string, lastMove: readonly Square[] | null, ms: number): boolean {
    const wanted = readPieces(fen);
    const missing: [Square, Piece][] = [];
    const extra = new Map<Square, Man>();
    for (const [square, man] of this.men) {
      const piece = wanted.get(square);
      if (!piece || piece.color !== man.color || piece.role !== man.role) extra.set(square, man);
    }
    for (const [square, piece] of wanted) {
      const man = this.men.get(square);
      if (!man || extra.has(square)) missing.push([square, piece]);
    }
    if (!missing.length && !extra.size) return false;
    // A new game or a jump: too much changes to be followed by eye.
    const jump = missing.length > 6 || extra.size > 6;
    const time = jump ? 0 : ms;
    extra.forEach((_, square) => this.men.delete(square));
    // The man of the last move first, so that of two rooks the right one walks.
    missing.sort((a, b) => Number(b[0] === lastMove?.[1]) - Number(a[0] === lastMove?.[1]));
    for (const [square, piece] of missing) {
      const from = jump ? null : this.origin(square, piece, extra, lastMove);
      if (from) {
        const man = extra.get(from) as Man;
        extra.delete(from);
        this.men.set(square, man);
        this.walk(man, spot(square), time);
        continue;
      }
      const man = this.make(piece, square);
      this.men.set(square, man);
      // A promoted man comes the pawn's way.
      const pawn =
        lastMove && square === lastMove[1] ? (extra.get(lastMove[0] as Square) ?? extra.get(square)) : undefined;
      if (!jump && pawn && pawn.role === 'pawn' && pawn.color === piece.color) {
        this.put(man, pawn.body.position);
        for (const [key, value] of extra) if (value === pawn) extra.delete(key);
        this.motion.finish(pawn);
        this.remove(pawn);
        this.walk(man, spot(square), time);
      }
    }
    extra.forEach(man => this.take(man, time));
    return true;
  }

  private origin(
    square: Square,
    piece: Piece,
    extra: Map<Square, Man>,
    lastMove: readonly Square[] | null,
  ): Square | null {
    let best: Square | null = null;
    let bestWay = Infinity;
    const to = spot(square);
    for (const [from, man] of extra) {
      if (man.color !== piece.color || man.role !== piece.role) continue;
      const named = lastMove && lastMove[0] === from && lastMove[1] === square;
      const way = named ? -1 : to.distanceTo(spot(from));
      if (way < bestWay) [best, bestWay] = [from, way];
    }
    return best;
  }

  dispose(): void {
    [...this.men.values(), ...this.leaving].forEach(man => this.motion.finish(man));
    this.men.clear();
    this.group.clear();
    this.shapes.dispose();
    this.materials.white.dispose();
    this.materials.black.dispose();
    this.shadeMaterial.map?.dispose();
    this.shadeMaterial.dispose();
    this.shadeShape.dispose();
  }
}

/** How a man is turned: knights and bishops show themselves from the side, the others differ in their grain. */
function facing(piece: Piece, square: Square): number {
  const forward = piece.color === 'white' ? Math.PI / 2 : -Math.PI / 2;
  if (piece.role === 'knight') return forward + 0.95;
  if (piece.role === 'bishop') return forward + 0.5;
  if (piece.role === 'king') return piece.color === 'white' ? 0 : Math.PI;
  const [file, rank] = squareXY(square);
  return file * 2.4 + rank * 1.1;
}
