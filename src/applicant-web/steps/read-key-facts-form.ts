import { FormField, Rule } from '../../platform/index.js';

/** The applicant's word that they have read the statement. */
export class ReadKeyFactsForm {
  @Rule('ticked', (value) => value === true, 'steps.confirm.unread')
  @FormField({ as: 'checkbox', wrong: 'steps.confirm.unread' })
  hasRead: boolean;
}
