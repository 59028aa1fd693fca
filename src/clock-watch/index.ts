export { ClockWatch, ClockWatchModule } from './clock-watch.js';
