export { DocsSiteModule } from './docs.controller.js';
