/** Express 4 under its alias. As far as the table uses it, its types are those of Express 5. */
declare module "express-4" {
  import express from "express";
  export default express;
}
