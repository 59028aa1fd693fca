import { ShownFlag, ShownId, ShownUrl } from '../../platform/index.js';

export class CreatedInstantLoan {
  @ShownId('app', 'The application; GET /leads/{applicationId}/status tells how it stands.')
  readonly applicationId: string;

  /** Our own stable link, so that the call never waits for a gateway. */
  @ShownUrl(
    'Where to send the applicant: the lenders’ offers, the loan’s key facts and the fee, and from ' +
      'there the payment gateway’s page. The same link goes to the applicant by SMS.',
    'https://rinpath.example/pay/token',
  )
  readonly redirectUrl: string;

  @ShownFlag(
    'Whether the SMS was handed over to the gateway within two seconds; when not, it is tried ' +
      'again in the background, unless the mobile has had its texts of the day, and the application ' +
      'stands all the same.',
  )
  readonly smsSent: boolean;
}
