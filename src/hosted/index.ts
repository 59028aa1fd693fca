export { HostedModule } from './hosted.module.js';
export { HOSTED_ENTITIES } from './store/hosted-entities.js';
