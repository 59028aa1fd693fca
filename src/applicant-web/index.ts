export { ApplicantWebModule } from './applicant-web.module.js';
export { APPLICANT_WEB_ENTITIES } from './store/applicant-web-entities.js';
