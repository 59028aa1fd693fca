export { SandboxLender } from './sandbox-lender.js';
export { SandboxModule } from './sandbox.module.js';
