declare module "luaparse" {
  interface Options {
    readonly luaVersion: "5.1";
    readonly encodingMode: "pseudo-latin1";
    readonly comments: false;
    readonly locations: true;
  }
  const luaparse: { parse(text: string, options: Options): unknown };
  export default luaparse;
}
