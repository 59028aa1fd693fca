import { FormField, Rule } from '../../platform/index.js';

export class ReadKeyFactsForm {
  @Rule('ticked', (value) => value === true, 'steps.confirm.unread')
  @FormField({ as: 'checkbox', wrong: 'steps.confirm.unread' })
  hasRead: boolean;
}
