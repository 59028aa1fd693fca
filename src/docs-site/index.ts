export { DocsSiteModule } from './docs-site.module.js';
