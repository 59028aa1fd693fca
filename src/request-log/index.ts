export { RequestLogModule } from './request-log.module.js';
export { timeOfRequestId } from './request-id.js';
export { RequestRecorder } from './request-recorder.js';
export { REQUEST_LOG_DAYS, REQUEST_LOG_ENTITIES } from './store/partner-requests.repository.js';
export type { KeptRefusal } from './store/partner-request.entity.js';
export {
  type LoggedRequest,
  RequestLog,
  type RequestPage,
  type RequestSummary,
} from './store/request-log.js';
export type { RequestFilter } from './store/requests-statement.js';
