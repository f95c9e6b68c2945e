// What stands still: the board with its rim and letters, the light, the shadow it throws on the page.

import * as THREE from 'three';
import { blobTexture, boardColors, squaresTexture, studio } from './materials';
import type { Quality } from './men';

/** Width of the rim and how far it stands above the squares. */
const RIM = 0.58;
const RIM_TOP = 0.03;
const UP = new THREE.Vector3(0, 1, 0);

export class Stage {
  readonly group = new THREE.Group();
  private readonly key = new THREE.DirectionalLight('#fff6ea', 2.1);
  private readonly fill = new THREE.HemisphereLight('#ffffff', '#a8998c', 0.5);
  private readonly letters: THREE.CanvasTexture;
  private readonly lettersPlane: THREE.Mesh;
  private readonly disposables: { dispose(): void }[] = [];
  private lettersFor = '';
  private environment: THREE.Texture | null = null;

  constructor(
    private readonly scene: THREE.Scene,
    private readonly theme: string,
    quality: Quality,
    renderer: THREE.WebGLRenderer,
  ) {
    const colors = boardColors(theme);
    const high = quality === 'high';
    const squares = squaresTexture(theme, quality);
    const top = this.keep(new THREE.PlaneGeometry(8, 8));
    const surface = this.keep(
      high
        ? new THREE.MeshPhysicalMaterial({
            map: squares,
            roughness: 0.55,
            clearcoat: 0.25,
            clearcoatRoughness: 0.4,
            envMapIntensity: 0.6,
          })
        : new THREE.MeshLambertMaterial({ map: squares }),
    );
    this.keep(squares);
    const board = new THREE.Mesh(top, surface);
    board.rotation.x = -Math.PI / 2;
    board.receiveShadow = true;
    this.group.add(board, this.rim(colors.rim, high));

    const shadow = new THREE.Mesh(
      this.keep(new THREE.PlaneGeometry(10.7, 10.7)),
      this.keep(
        new THREE.MeshBasicMaterial({
          map: this.keep(blobTexture(true)),
          transparent: true,
          opacity: 0.3,
          depthWrite: false,
        }),
      ),
    );
    shadow.rotation.x = -Math.PI / 2;
    shadow.position.y = -0.42;
    this.group.add(shadow);

    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = high ? 1536 : 1024;
    this.letters = this.keep(new THREE.CanvasTexture(canvas));
    this.letters.colorSpace = THREE.SRGBColorSpace;
    this.letters.anisotropy = high ? 8 : 4;
    const side = 8 + 2 * RIM;
    this.lettersPlane = new THREE.Mesh(
      this.keep(new THREE.PlaneGeometry(side, side)),
      this.keep(
        new THREE.MeshBasicMaterial({
          map: this.letters,
          transparent: true,
          depthWrite: false,
          polygonOffset: true,
          polygonOffsetFactor: -2,
          polygonOffsetUnits: -2,
        }),
      ),
    );
    this.lettersPlane.rotation.x = -Math.PI / 2;
    this.lettersPlane.position.y = RIM_TOP + 0.002;
    this.group.add(this.lettersPlane);

    this.light(high, renderer);
    scene.add(this.group);
  }

  private keep<T extends { dispose(): void }>(thing: T): T {
    this.disposables.push(thing);
    return thing;
  }

  /** A frame round the squares with rounded edges, and a thin inlaid line. */
  private rim(color: string, high: boolean): THREE.Object3D {
    const outer = 4 + RIM;
    const shape = new THREE.Shape();
    const radius = 0.12;
    shape.moveTo(-outer + radius, -outer);
    for (const [x, y, cx, cy] of [
      [outer - radius, -outer, outer, -outer],
      [outer, outer - radius, outer, outer],
      [-outer + radius, outer, -outer, outer],
      [-outer, -outer + radius, -outer, -outer],
    ] as const) {
      shape.lineTo(x, y);
      shape.quadraticCurveTo(
        cx,
        cy,
        cx === x ? cx - Math.sign(cx) * radius : cx,
        cy === y ? cy - Math.sign(cy) * radius : cy,
      );
    }
    const hole = new THREE.Path();
    hole.moveTo(-4, -4).lineTo(-4, 4).lineTo(4, 4).lineTo(4, -4).closePath();
    shape.holes.push(hole);
    const bevel = 0.03;
    const geometry = this.keep(
      new THREE.ExtrudeGeometry(shape, {
        depth: 0.38,
        bevelSize: 0.0,
        bevelThickness: bevel,
        bevelOffset: 0,
        bevelSegments: 3,
        curveSegments: 5,
      }),
    );
    geometry.rotateX(-Math.PI / 2);
    geometry.translate(0, RIM_TOP - 0.38 - bevel, 0);
    const material = this.keep(
      high
        ? new THREE.MeshPhysicalMaterial({
            color,
            roughness: 0.5,
            clearcoat: 0.4,
            clearcoatRoughness: 0.3,
            envMapIntensity: 0.7,
          })
        : new THREE.MeshLambertMaterial({ color }),
    );
    const mesh = new THREE.Mesh(geometry, material);
    mesh.receiveShadow = true;
    mesh.castShadow = true;
    const line = new THREE.Mesh(
      this.keep(new THREE.RingGeometry(4.045 * Math.SQRT2, 4.075 * Math.SQRT2, 4, 1, Math.PI / 4)),
      this.keep(new THREE.MeshBasicMaterial({ color: '#e5c48f', transparent: true, opacity: 0.55 })),
    );
    line.rotation.x = -Math.PI / 2;
    line.position.y = RIM_TOP + 0.001;
    const both = new THREE.Group();
    both.add(mesh, line);
    return both;
  }

  private light(high: boolean, renderer: THREE.WebGLRenderer): void {
    this.key.castShadow = high;
    const shadow = this.key.shadow;
    shadow.mapSize.set(2048, 2048);
    shadow.radius = 5;
    shadow.bias = -0.0004;
    shadow.normalBias = 0.012;
    Object.assign(shadow.camera, { left: -6.3, right: 6.3, top: 6.3, bottom: -6.3, near: 2, far: 24 });
    this.scene.add(this.key, this.fill);
    if (high) {
      this.environment = this.keep(studio(renderer));
      this.scene.environment = this.environment;
      this.scene.environmentIntensity = 0.55;
    } else {
      // Without reflections the room's light comes from all sides, and white.
      this.fill.intensity = 2.0;
      this.fill.groundColor.set('#d5cec6');
      this.key.intensity = 1.7;
      this.key.color.set('#ffffff');
      this.scene.environment = null;
    }
  }

  /** The lamp and the room stay with the viewer, as if the board were turned on a table. */
  follow(azimuth: number): void {
    this.key.position.set(-5.5, 10.5, 3.2).applyAxisAngle(UP, azimuth);
    this.scene.environmentRotation.y = azimuth;
  }

  /** Writes the letters so that they can be read from this side (0 White's, 1 the h file's, …). */
  label(quadrant: number, shown: boolean): void {
    const wanted = shown ? String(quadrant) : 'none';
    if (wanted === this.lettersFor) return;
    this.lettersFor = wanted;
    const canvas = this.letters.image as HTMLCanvasElement;
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (shown) {
      const unit = canvas.width / (8 + 2 * RIM);
      context.fillStyle = boardColors(this.theme).text;
      context.font = `600 ${unit * 0.3}px system-ui, "Segoe UI", "DejaVu Sans", sans-serif`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      const write = (text: string, x: number, y: number): void => {
        context.save();
        context.translate(x * unit, y * unit);
        context.rotate((-quadrant * Math.PI) / 2);
        context.fillText(text, 0, 0);
        context.restore();
      };
      for (let i = 0; i < 8; i++) {
        for (const edge of [RIM * 0.52, 8 + RIM * 1.48]) {
          write('abcdefgh'.charAt(i), RIM + i + 0.5, edge);
          write(String(8 - i), edge, RIM + i + 0.5);
        }
      }
    }
    this.letters.needsUpdate = true;
  }

  dispose(): void {
    this.scene.remove(this.group, this.key, this.fill);
    this.scene.environment = null;
    this.key.dispose();
    this.disposables.forEach(thing => thing.dispose());
  }
}
