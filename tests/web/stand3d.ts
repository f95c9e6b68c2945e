// A bare page with the 3D board on it, for tests of the view alone: what it was told is in `log`.
import { mount3d } from '../../web/src/board3d/index';
import type { BoardState } from '../../web/src/board';

const state: BoardState = {
  fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR',
  orientation: 'white', turn: 'white', movable: 'white',
  dests: new Map([['e2', ['e3', 'e4']], ['g1', ['f3', 'h3']]]),
  premovable: null, premove: null, lastMove: null, check: null, selected: null, cursor: null,
  marks: { safe: [], danger: [] }, shapes: [], showDests: true, coordinates: true, drawable: true, animationMs: 0,
};
const log: unknown[][] = [];
const element = document.createElement('div');
element.style.cssText = 'position: absolute; inset: 0';
document.body.append(element);
const view = mount3d(element, { ...state }, {
  onMove: (from, to) => log.push(['move', from, to]),
  onIllegal: (from, to) => log.push(['illegal', from, to]),
  onPremove: (move) => log.push(['premove', move]),
  onSelect: (square) => log.push(['select', square]),
  onHover: (square) => log.push(['hover', square]),
  onShapes: (shapes) => log.push(['shapes', shapes]),
}, { theme: 'oak', pieces: '', quality: (new URLSearchParams(location.search).get('quality') ?? 'low') as 'auto' | 'low' | 'high' });
Object.assign(window, { view, log, state, element });
