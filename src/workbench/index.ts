export { WORKBENCH_ENTITIES } from './store/workbench-entities.js';
export { WorkbenchModule } from './workbench.module.js';
