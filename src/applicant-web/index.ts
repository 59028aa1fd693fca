export { ApplicantWebModule } from './applicant-web.module.js';
