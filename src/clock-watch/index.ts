export { ClockWatch } from './clock-watch.js';
export { ClockWatchModule } from './clock-watch.module.js';
