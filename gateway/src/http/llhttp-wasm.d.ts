/** The file of undici with llhttp, the parser of Node's own HTTP server, as WebAssembly. */
declare module "undici/lib/llhttp/llhttp-wasm.js" {
  const binary: Uint8Array<ArrayBuffer>;
  export default binary;
}
