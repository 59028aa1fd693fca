export { WORKBENCH_ENTITIES } from './store/workbench-session.entity.js';
export { WorkbenchModule } from './workbench.module.js';
