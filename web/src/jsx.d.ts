// Elements of chessground's own that the page uses too.
import 'preact';
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      piece: HTMLAttributes<HTMLElement>;
    }
  }
}
