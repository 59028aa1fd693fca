export { RequestLogModule } from './request-log.module.js';
export { type RequestFilter, timeOfRequestId } from './store/requests-statement.js';
export { RequestRecorder } from './request-recorder.js';
export { REQUEST_LOG_ENTITIES } from './store/partner-requests.repository.js';
export type { KeptRefusal } from './store/partner-request.entity.js';
export { type LoggedRequest, RequestLog, type RequestSummary } from './store/request-log.js';
