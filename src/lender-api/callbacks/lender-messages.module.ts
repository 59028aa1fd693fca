import { Module } from '@nestjs/common';
import { ErasureModule } from '../../erasure/index.js';
import { LenderMessagesRepository } from '../store/lender-messages.repository.js';
import { LenderMessagePersonalData } from './lender-message-personal-data.js';

/** What lenders have told us: for the command line, too, which erases what it says of applicants. */
@Module({
  imports: [ErasureModule],
  providers: [LenderMessagesRepository, LenderMessagePersonalData],
  exports: [LenderMessagesRepository],
})
export class LenderMessagesModule {}
