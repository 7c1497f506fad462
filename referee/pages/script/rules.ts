// Rules and words from files come into the fields of the form, where they can be read and corrected before anything is sent. Without
// scripts these rows are not shown, and text is pasted.

// More than this no server takes in a form.
const bytesMax = 1 << 20;

for (const chooser of document.querySelectorAll<HTMLInputElement>("input[type=file][data-into]")) {
  const field = document.getElementById(chooser.dataset["into"] ?? "");
  const row = chooser.closest<HTMLElement>(".from-file");
  const said = row?.querySelector("output");
  if (!(field instanceof HTMLTextAreaElement) || !row || !said) continue;
  row.hidden = false;
  chooser.addEventListener("change", async () => {
    const file = chooser.files?.[0];
    if (!file) return;
    const isLarge = file.size > bytesMax;
    said.textContent = isLarge ? "This file has more than a mebibyte." : "";
    if (!isLarge) field.value = await file.text();
  });
}
