export { HostedModule } from './hosted.module.js';
