// Light and surfaces without a single downloaded picture: solid wood computed in the shader from the place
// inside the block (so that the grain follows the turning), the wood of the board painted on a canvas, and
// a small studio whose lamps give the reflections.

import * as THREE from 'three';
import type { Color } from '../board';
import type { Quality } from './men';

/** Colours of a board theme in 3D: light and dark squares, and the rim round them. */
export interface BoardColors {
  readonly light: string;
  readonly dark: string;
  readonly rim: string;
  readonly text: string;
}

// Light squares are darker than on the flat board, so that white men stand out from them by their own colour.
const THEMES: Record<string, BoardColors> = {
  oak: { light: '#c89a66', dark: '#7a4b2d', rim: '#4b2e1d', text: '#e9cfa6' },
  slate: { light: '#98a6b3', dark: '#4d5a67', rim: '#2c343c', text: '#cfd8e0' },
  walnut: { light: '#b98b58', dark: '#5f3c27', rim: '#33201a', text: '#e2c39a' },
  dusk: { light: '#a49bbf', dark: '#564e70', rim: '#2f2a3f', text: '#d8d3e6' },
  paper: { light: '#c9c3b3', dark: '#857f71', rim: '#5c584e', text: '#f3f0e6' },
  contrast: { light: '#bcc7d1', dark: '#3a5873', rim: '#1d2a36', text: '#ffffff' },
  meadow: { light: '#b9c08d', dark: '#587647', rim: '#37452f', text: '#dbe3c4' },
};

export function boardColors(theme: string): BoardColors {
  return THEMES[theme] ?? (THEMES['oak'] as BoardColors);
}

/** A pseudo-random number in 0..1 for a whole-numbered place: the same on every machine. */
function hash(x: number, y: number): number {
  let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

function noise(x: number, y: number): number {
  const [ix, iy] = [Math.floor(x), Math.floor(y)];
  let [fx, fy] = [x - ix, y - iy];
  fx = fx * fx * (3 - 2 * fx);
  fy = fy * fy * (3 - 2 * fy);
  const top = hash(ix, iy) * (1 - fx) + hash(ix + 1, iy) * fx;
  const bottom = hash(ix, iy + 1) * (1 - fx) + hash(ix + 1, iy + 1) * fx;
  return top * (1 - fy) + bottom * fy;
}

/** A grey canvas of planed wood, its grain along x; used as a light and shade over a colour. */
function grain(size: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const image = context.createImageData(size, size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const u = x / size;
      const v = y / size;
      const warp = noise(u * 3, v * 9) * 0.9 + noise(u * 9, v * 24) * 0.25;
      const ring = (v * 26 + warp * 2.2) % 1;
      const year = ring < 0.75 ? ring / 0.75 : (1 - ring) / 0.25;
      const fibre = noise(u * 14, v * 380);
      const value = 205 + 26 * (1 - year * year) + 24 * (fibre - 0.5);
      const at = (y * size + x) * 4;
      image.data[at] = image.data[at + 1] = image.data[at + 2] = Math.min(255, value);
      image.data[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** The 64 squares as one picture, every one a piece of wood of its own; a8 is at the top left. */
export function squaresTexture(theme: string, quality: Quality): THREE.CanvasTexture {
  const colors = boardColors(theme);
  const cell = quality === 'high' ? 128 : 32;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = cell * 8;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const wood = quality === 'high' ? grain(384) : null;
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const light = (row + column) % 2 === 0;
      context.fillStyle = light ? colors.light : colors.dark;
      context.fillRect(column * cell, row * cell, cell, cell);
      if (!wood) continue;
      context.save();
      context.beginPath();
      context.rect(column * cell, row * cell, cell, cell);
      context.clip();
      context.translate((column + 0.5) * cell, (row + 0.5) * cell);
      context.rotate((light ? 0 : Math.PI / 2) + (hash(row, column + 40) - 0.5) * 0.12);
      context.globalCompositeOperation = 'multiply';
      context.globalAlpha = light ? 0.75 : 1;
      const [sx, sy] = [hash(row, column) * 190, hash(row + 20, column) * 190];
      context.drawImage(wood, sx, sy, 190, 190, -cell * 0.8, -cell * 0.8, cell * 1.6, cell * 1.6);
      context.restore();
    }
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = quality === 'high' ? 8 : 2;
  return texture;
}

const WOOD_VERTEX = /* glsl */ `
  vGrain = position;
`;

const WOOD_FUNCTIONS = /* glsl */ `
varying vec3 vGrain;
uniform vec3 uVein;
uniform vec3 uFigure;
float grainHash(vec3 p) {
  p = fract(p * 0.3183099 + vec3(0.11, 0.17, 0.13));
  p *= 17.0;
  return fract(p.x * p.y * p.z * (p.x + p.y + p.z));
}
float grainNoise(vec3 x) {
  vec3 i = floor(x);
  vec3 f = fract(x);
  f = f * f * (3.0 - 2.0 * f);
  return mix(
    mix(mix(grainHash(i), grainHash(i + vec3(1, 0, 0)), f.x),
        mix(grainHash(i + vec3(0, 1, 0)), grainHash(i + vec3(1, 1, 0)), f.x), f.y),
    mix(mix(grainHash(i + vec3(0, 0, 1)), grainHash(i + vec3(1, 0, 1)), f.x),
        mix(grainHash(i + vec3(0, 1, 1)), grainHash(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}
// Year rings round an axis outside the block, bent a little, with fine fibres along it.
float grainFigure(vec3 p) {
  float bend = grainNoise(p * vec3(1.6, 0.7, 1.6) + 3.0);
  float r = length(p.xz + vec2(1.1, 0.55)) * uFigure.x + bend * uFigure.y;
  float ring = fract(r);
  float year = smoothstep(0.0, 0.8, ring) * (1.0 - smoothstep(0.86, 1.0, ring));
  float fibre = grainNoise(p * vec3(70.0, 5.0, 70.0));
  return clamp(year * 0.75 + (fibre - 0.5) * uFigure.z, 0.0, 1.0);
}
`;

interface Wood {
  readonly base: string;
  readonly vein: string;
  /** Rings to a unit, how far they are bent, strength of the fibres. */
  readonly figure: readonly [number, number, number];
  readonly roughness: number;
}

const WOODS: Record<Color, Wood> = {
  white: { base: '#fdf6e6', vein: '#ecdcc0', figure: [9, 2.4, 0.7], roughness: 0.42 },
  black: { base: '#3a2720', vein: '#1c110d', figure: [12, 2.0, 0.9], roughness: 0.36 },
};

/** The wood of one side's men. */
export function manMaterial(color: Color, quality: Quality): THREE.Material {
  const wood = WOODS[color];
  if (quality === 'low') {
    return new THREE.MeshPhongMaterial({
      color: color === 'white' ? '#f7ecd2' : '#41302a',
      specular: color === 'white' ? '#332c20' : '#6a5a50',
      shininess: 40,
    });
  }
  const material = new THREE.MeshPhysicalMaterial({
    color: wood.base,
    roughness: wood.roughness,
    clearcoat: 0.55,
    clearcoatRoughness: 0.22,
    envMapIntensity: color === 'white' ? 0.9 : 1.25,
  });
  material.onBeforeCompile = shader => {
    shader.uniforms['uVein'] = { value: new THREE.Color(wood.vein) };
    shader.uniforms['uFigure'] = { value: new THREE.Vector3(...wood.figure) };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vGrain;')
      .replace('#include <begin_vertex>', `#include <begin_vertex>\n${WOOD_VERTEX}`);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${WOOD_FUNCTIONS}`)
      .replace(
        '#include <color_fragment>',
        '#include <color_fragment>\ndiffuseColor.rgb = mix(diffuseColor.rgb, uVein, grainFigure(vGrain));',
      );
  };
  return material;
}

/** A soft round shadow, for men where real shadows are too dear, and for the board on the page. */
export function blobTexture(square: boolean): THREE.CanvasTexture {
  const size = 128;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const image = context.createImageData(size, size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [u, v] = [Math.abs((2 * (x + 0.5)) / size - 1), Math.abs((2 * (y + 0.5)) / size - 1)];
      const d = square ? Math.hypot(Math.max(0, u - 0.68), Math.max(0, v - 0.68)) / 0.32 : Math.hypot(u, v);
      const t = Math.max(0, 1 - d);
      image.data[(y * size + x) * 4 + 3] = 255 * t * t * (3 - 2 * t);
    }
  }
  context.putImageData(image, 0, 0);
  return new THREE.CanvasTexture(canvas);
}

/** A room with two soft lamps and a window, as an environment for reflections. */
export function studio(renderer: THREE.WebGLRenderer): THREE.Texture {
  const scene = new THREE.Scene();
  const room = new THREE.Mesh(
    new THREE.BoxGeometry(20, 12, 20),
    new THREE.MeshBasicMaterial({ color: '#6f6a64', side: THREE.BackSide }),
  );
  room.position.y = 3;
  const floor = new THREE.Mesh(new THREE.BoxGeometry(20, 0.2, 20), new THREE.MeshBasicMaterial({ color: '#3b332c' }));
  floor.position.y = -2.9;
  scene.add(room, floor);
  const lamp = (w: number, h: number, x: number, y: number, z: number, power: number, tint: string): void => {
    const color = new THREE.Color(tint).multiplyScalar(power);
    const mesh = new THREE.Mesh(
      new THREE.PlaneGeometry(w, h),
      new THREE.MeshBasicMaterial({ color, side: THREE.DoubleSide }),
    );
    mesh.position.set(x, y, z);
    mesh.lookAt(0, 0, 0);
    scene.add(mesh);
  };
  lamp(9, 5, 0, 8.6, 0, 5, '#fff4e2');
  lamp(4, 6, -8.5, 4, 3, 6, '#ffe9cf');
  lamp(3, 5, 8.5, 3.5, -4, 4, '#dfeaff');
  lamp(7, 2.5, 0, 4, -9.4, 3, '#f3f0ff');
  const generator = new THREE.PMREMGenerator(renderer);
  const target = generator.fromScene(scene, 0.035);
  generator.dispose();
  scene.traverse(object => {
    if (object instanceof THREE.Mesh) {
      object.geometry.dispose();
      (object.material as THREE.Material).dispose();
    }
  });
  return target.texture;
}
