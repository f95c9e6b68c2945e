// The table of opening names, made by build.mjs.
declare module 'openings:' {
  const text: string;
  export default text;
}
