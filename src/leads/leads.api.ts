import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { PartnerCall } from '../platform/index.js';
import { LeadsQuery } from './dto/leads-query.js';
import { LeadsPage, LeadStatus } from './dto/lead-views.js';

export const ListLeadsCall = () =>
  applyDecorators(
    PartnerCall({
      operationId: 'listLeads',
      summary: 'List applications',
      description:
        'The partner’s applications, newest first. An unknown `status`, `loanType`, `journeyId` or ' +
        '`applicationId` gives an empty list, and a page that is out of range is brought into it; what cannot be parsed is ' +
        'refused.',
      answer: LeadsPage,
      failures: ['validation_failed'],
    }),
    ApiQuery({ type: LeadsQuery }),
  );

export const LeadStatusCall = () =>
  PartnerCall({
    operationId: 'readLeadStatus',
    summary: 'Read the status of an application',
    description: 'The status of one application, of a journey or of an instant loan.',
    answer: LeadStatus,
    failures: ['application_not_found'],
  });
