import { ApiProperty } from '@nestjs/swagger';
import { type FieldProblem, validationFault } from '../../platform/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../domain/delivery-status.js';
import type { DeliveriesPageQuery } from '../store/partner-deliveries.repository.js';

const DEFAULT_LIMIT = 20;
const MAX_A_PAGE = 50;
const DELIVERY_ID = /^dlv_[0-9a-f]{32}$/;

/** The parameters of a subscription's deliveries, as the API document shows them. */
export class DeliveriesQuery {
  @ApiProperty({
    required: false,
    type: 'string',
    enum: [...DELIVERY_STATUSES],
    description:
      'Deliveries of this status. A page looks through 10,000 deliveries at most, so it can be short.',
  })
  status?: string;

  @ApiProperty({
    required: false,
    type: 'string',
    pattern: DELIVERY_ID.source,
    description: 'Deliveries older than this one: `nextBefore` of the page before.',
  })
  before?: string;

  @ApiProperty({
    required: false,
    type: 'integer',
    minimum: 1,
    maximum: MAX_A_PAGE,
    default: DEFAULT_LIMIT,
    description: 'Deliveries on a page.',
  })
  limit?: number;
}

/** @throws Fault validation_failed naming every bad parameter */
export function readDeliveriesQuery(parameters: Record<string, unknown>): DeliveriesPageQuery {
  const { status, before, limit } = { ...parameters };
  const problems: FieldProblem[] = [];
  const isStatus = DELIVERY_STATUSES.some((one) => one === status);
  if (status !== undefined && !isStatus) {
    problems.push({ field: 'status', message: `must be one of ${DELIVERY_STATUSES.join(', ')}` });
  }
  const isBefore = typeof before === 'string' && DELIVERY_ID.test(before);
  if (before !== undefined && !isBefore) {
    problems.push({ field: 'before', message: 'must be the id of a delivery' });
  }
  const size = limit === undefined ? DEFAULT_LIMIT : wholeNumber(limit);
  if (size < 1 || size > MAX_A_PAGE) {
    problems.push({ field: 'limit', message: `must be a whole number from 1 to ${MAX_A_PAGE}` });
  }
  if (problems.length > 0) throw validationFault(problems);
  return {
    status: isStatus ? (status as DeliveryStatus) : null,
    before: isBefore ? before : null,
    limit: size,
  };
}

/** 0 for what is none. */
function wholeNumber(value: unknown): number {
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : 0;
}
