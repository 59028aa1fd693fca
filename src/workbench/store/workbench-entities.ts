import { WorkbenchSession } from './workbench-session.entity.js';

export const WORKBENCH_ENTITIES = [WorkbenchSession];
