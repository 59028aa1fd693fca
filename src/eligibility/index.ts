export { EligibilityModule } from './eligibility.module.js';
