export { WORKBENCH_ENTITIES } from './store/workbench-sessions.repository.js';
export { WorkbenchModule } from './workbench.module.js';
