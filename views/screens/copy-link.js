// Copies the link at a press. Without JavaScript the applicant copies it from the field.
const field = document.getElementById('link');
const button = document.getElementById('copy');

async function copy() {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Browsers inside apps often have no clipboard.
    field.select();
    document.execCommand('copy');
  }
  button.textContent = button.dataset.copied;
}

if (field && button) {
  button.hidden = false;
  button.addEventListener('click', copy);
}
