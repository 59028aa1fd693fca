import { EmailField, TextField } from '../../platform/index.js';

export class ContactSection {
  @TextField()
  phone: string;

  @EmailField()
  email: string;
}

export class NamedContactSection extends ContactSection {
  @TextField()
  name: string;
}
