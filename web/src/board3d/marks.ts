// Marks on the board: last move, check, dots, hover colours, the keyboard's ring, arrows and circles. The
// flat ones are painted on one transparent picture that lies on the squares; arrows are bodies of their own
// that shine faintly through the men in front of them.

import * as THREE from 'three';
import { squareXY, type BoardState, type Brush, type Shape, type Square } from '../board';
import type { Quality } from './men';

const BRUSH: Record<Brush, string> = {
  green: '#15781b',
  red: '#a3201b',
  blue: '#1f4f9b',
  yellow: '#d98a00',
  best: '#1d6a4a',
  line: '#2a6f97',
  threat: '#b0342c',
};

/** What the flat marks depend on besides the state. */
export interface Pointing {
  /** The square a dragged man would fall on. */
  readonly target: Square | null;
}

export class Marks {
  readonly group = new THREE.Group();
  private readonly canvas = document.createElement('canvas');
  private readonly context: CanvasRenderingContext2D;
  private readonly texture: THREE.CanvasTexture;
  private readonly plane: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshBasicMaterial>;
  private readonly cell: number;
  private arrows: THREE.Object3D[] = [];
  private painted = '';
  private drawn = '';

  constructor(quality: Quality) {
    this.cell = quality === 'high' ? 128 : 80;
    this.canvas.width = this.canvas.height = this.cell * 8;
    this.context = this.canvas.getContext('2d') as CanvasRenderingContext2D;
    this.texture = new THREE.CanvasTexture(this.canvas);
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.texture.anisotropy = quality === 'high' ? 8 : 4;
    this.plane = new THREE.Mesh(
      new THREE.PlaneGeometry(8, 8),
      new THREE.MeshBasicMaterial({
        map: this.texture,
        transparent: true,
        depthWrite: false,
        toneMapped: false,
        polygonOffset: true,
        polygonOffsetFactor: -4,
        polygonOffsetUnits: -4,
      }),
    );
    this.plane.rotation.x = -Math.PI / 2;
    this.plane.position.y = 0.003;
    this.plane.renderOrder = 1;
    this.group.add(this.plane);
  }

  /** Shows the marks of this state; nothing is painted when nothing changed. */
  show(state: BoardState, men: { has(square: Square): boolean }, pointing: Pointing): void {
    const dots = state.showDests && state.selected ? (state.dests.get(state.selected) ?? []) : [];
    const key = JSON.stringify([
      state.lastMove,
      state.check,
      state.selected,
      state.cursor,
      state.premove,
      state.marks,
      pointing.target,
      dots.map(s => s + men.has(s)),
      state.shapes.filter(s => !s.to),
    ]);
    if (key !== this.painted) {
      this.painted = key;
      this.paint(state, dots, men, pointing);
    }
    const shapes = JSON.stringify(state.shapes.filter(s => s.to));
    if (shapes !== this.drawn) {
      this.drawn = shapes;
      this.drawArrows(state.shapes.filter(s => s.to));
    }
  }

  private paint(
    state: BoardState,
    dots: readonly Square[],
    men: { has(square: Square): boolean },
    pointing: Pointing,
  ): void {
    const { context: c, cell } = this;
    c.clearRect(0, 0, cell * 8, cell * 8);
    const at = (square: Square): [number, number] => {
      const [file, rank] = squareXY(square);
      return [file * cell, (7 - rank) * cell];
    };
    const fill = (square: Square, color: string): void => {
      const [x, y] = at(square);
      c.fillStyle = color;
      c.fillRect(x, y, cell, cell);
    };
    state.lastMove?.forEach(square => fill(square, 'rgba(196, 190, 20, 0.42)'));
    state.premove?.forEach(square => fill(square, 'rgba(40, 70, 190, 0.45)'));
    if (state.check) this.paintCheck(...at(state.check));
    state.marks.safe.forEach(square => this.paintMark(...at(square), '#1f9d3a', false));
    state.marks.danger.forEach(square => this.paintMark(...at(square), '#f07f09', true));
    if (state.selected) fill(state.selected, 'rgba(20, 105, 50, 0.5)');
    dots.forEach(square => this.paintDot(...at(square), men.has(square)));
    if (pointing.target) {
      const [x, y] = at(pointing.target);
      c.fillStyle = 'rgba(20, 105, 50, 0.35)';
      c.fillRect(x, y, cell, cell);
    }
    for (const shape of state.shapes) {
      if (shape.to) continue;
      const [x, y] = at(shape.from);
      c.strokeStyle = BRUSH[shape.brush];
      c.globalAlpha = 0.85;
      c.lineWidth = cell * 0.07;
      c.beginPath();
      c.arc(x + cell / 2, y + cell / 2, cell * 0.45, 0, 2 * Math.PI);
      c.stroke();
      c.globalAlpha = 1;
    }
    if (state.cursor) {
      const [x, y] = at(state.cursor);
      c.lineWidth = cell * 0.075;
      c.strokeStyle = '#ffffff';
      c.strokeRect(x + cell * 0.06, y + cell * 0.06, cell * 0.88, cell * 0.88);
      c.lineWidth = cell * 0.04;
      c.strokeStyle = '#1257d6';
      c.strokeRect(x + cell * 0.06, y + cell * 0.06, cell * 0.88, cell * 0.88);
    }
    this.texture.needsUpdate = true;
  }

  private paintCheck(x: number, y: number): void {
    const { context: c, cell } = this;
    const glow = c.createRadialGradient(x + cell / 2, y + cell / 2, 0, x + cell / 2, y + cell / 2, cell * 0.72);
    glow.addColorStop(0, 'rgba(255, 0, 0, 1)');
    glow.addColorStop(0.45, 'rgba(231, 0, 0, 0.85)');
    glow.addColorStop(1, 'rgba(158, 0, 0, 0.15)');
    c.fillStyle = glow;
    c.fillRect(x, y, cell, cell);
  }

  /** A frame; where the man could be taken, with its corners filled, so that it can be told without colour. */
  private paintMark(x: number, y: number, color: string, danger: boolean): void {
    const { context: c, cell } = this;
    c.fillStyle = color;
    c.globalAlpha = 0.38;
    c.fillRect(x, y, cell, cell);
    c.globalAlpha = 0.95;
    const w = cell * 0.06;
    c.lineWidth = w;
    c.strokeStyle = color;
    c.strokeRect(x + w / 2, y + w / 2, cell - w, cell - w);
    if (danger) {
      const s = cell * 0.24;
      for (const [cx, cy, dx, dy] of [
        [x, y, 1, 1],
        [x + cell, y, -1, 1],
        [x, y + cell, 1, -1],
        [x + cell, y + cell, -1, -1],
      ] as const) {
        c.beginPath();
        c.moveTo(cx, cy);
        c.lineTo(cx + dx * s, cy);
        c.lineTo(cx, cy + dy * s);
        c.fill();
      }
    }
    c.globalAlpha = 1;
  }

  private paintDot(x: number, y: number, taken: boolean): void {
    const { context: c, cell } = this;
    c.fillStyle = c.strokeStyle = 'rgba(18, 92, 44, 0.78)';
    c.beginPath();
    if (taken) {
      c.lineWidth = cell * 0.09;
      c.arc(x + cell / 2, y + cell / 2, cell * 0.44, 0, 2 * Math.PI);
      c.stroke();
    } else {
      c.arc(x + cell / 2, y + cell / 2, cell * 0.16, 0, 2 * Math.PI);
      c.fill();
    }
  }

  private drawArrows(shapes: readonly Shape[]): void {
    this.arrows.forEach(arrow => this.drop(arrow));
    this.arrows = shapes.map(shape => {
      const arrow = makeArrow(shape);
      this.group.add(arrow);
      return arrow;
    });
  }

  private drop(object: THREE.Object3D): void {
    this.group.remove(object);
    object.traverse(part => {
      if (part instanceof THREE.Mesh || part instanceof THREE.Sprite) {
        if (part instanceof THREE.Mesh) part.geometry.dispose();
        const material = part.material as THREE.MeshBasicMaterial | THREE.SpriteMaterial;
        material.map?.dispose();
        material.dispose();
      }
    });
  }

  dispose(): void {
    this.arrows.forEach(arrow => this.drop(arrow));
    this.plane.geometry.dispose();
    this.plane.material.dispose();
    this.texture.dispose();
  }
}

/** An arrow from the middle of one square to the next, flat over the board. */
function makeArrow(shape: Shape): THREE.Object3D {
  const [ax, ay] = squareXY(shape.from);
  const [bx, by] = squareXY(shape.to as Square);
  const length = Math.hypot(bx - ax, by - ay);
  const thin = shape.brush === 'line';
  const [w, head, wide] = thin ? [0.06, 0.34, 0.17] : [0.1, 0.46, 0.25];
  const outline = new THREE.Shape();
  outline
    .moveTo(0.18, -w)
    .lineTo(length - head, -w)
    .lineTo(length - head, -wide)
    .lineTo(length - 0.06, 0);
  outline
    .lineTo(length - head, wide)
    .lineTo(length - head, w)
    .lineTo(0.18, w)
    .closePath();
  const group = new THREE.Group();
  const color = BRUSH[shape.brush];
  // Once over the board, once faintly over everything.
  for (const [opacity, depthTest] of [
    [0.8, true],
    [0.3, false],
  ] as const) {
    const mesh = new THREE.Mesh(
      new THREE.ShapeGeometry(outline),
      new THREE.MeshBasicMaterial({
        color,
        transparent: true,
        opacity,
        depthTest,
        depthWrite: false,
        toneMapped: false,
        side: THREE.DoubleSide,
      }),
    );
    mesh.renderOrder = depthTest ? 2 : 10;
    group.add(mesh);
  }
  group.rotation.set(-Math.PI / 2, 0, Math.atan2(by - ay, bx - ax), 'YXZ');
  group.position.set(ax - 3.5, 0.02, 3.5 - ay);
  if (!shape.label) return group;
  const both = new THREE.Group();
  const label = makeLabel(shape.label, color);
  label.position.set(bx - 3.5, 0.35, 3.5 - by);
  both.add(group, label);
  return both;
}

/** A small plate with text that always faces the eye. */
function makeLabel(text: string, color: string): THREE.Sprite {
  const canvas = document.createElement('canvas');
  canvas.width = 192;
  canvas.height = 72;
  const c = canvas.getContext('2d') as CanvasRenderingContext2D;
  c.fillStyle = color;
  c.beginPath();
  c.roundRect(2, 2, 188, 68, 20);
  c.fill();
  c.fillStyle = '#fff';
  c.font = '600 44px system-ui, "DejaVu Sans", sans-serif';
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillText(text, 96, 38, 176);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, depthTest: false, toneMapped: false }));
  sprite.scale.set(0.72, 0.27, 1);
  sprite.renderOrder = 11;
  return sprite;
}
