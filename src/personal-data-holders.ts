import type { Type } from '@nestjs/common';
import { JourneyErasureModule } from './journeys/index.js';
import { LenderMessagesModule } from './lender-api/index.js';
import { LenderRecordsModule } from './lenders/index.js';
import { SmsRecordsModule } from './messaging/index.js';
import { PaymentRecordsModule } from './payments/index.js';
import type { Mode } from './platform/index.js';
import { SandboxRecordsModule } from './sandbox/index.js';

export function personalDataHolders(mode: Mode): Type[] {
  return [
    JourneyErasureModule,
    LenderRecordsModule,
    LenderMessagesModule,
    PaymentRecordsModule,
    SmsRecordsModule,
    ...(mode === 'sandbox' ? [SandboxRecordsModule] : []),
  ];
}
