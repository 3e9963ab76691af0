declare module "wasm_exec";
declare module "*.cl" {
  const text: string;
  export default text;
}
declare module "*.png" {
  const base64: string;
  export default base64;
}
