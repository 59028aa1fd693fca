export { HostedModule } from './hosted.module.js';
export { FrozenPdfRow } from './key-facts/frozen-pdf.entity.js';
