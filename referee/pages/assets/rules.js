const bytesMax = 1 << 20;
for (const chooser of document.querySelectorAll("input[type=file][data-into]")) {
    const field = document.getElementById(chooser.dataset["into"] ?? "");
    const row = chooser.closest(".from-file");
    const said = row?.querySelector("output");
    if (!(field instanceof HTMLTextAreaElement) || !row || !said)
        continue;
    row.hidden = false;
    chooser.addEventListener("change", async () => {
        const file = chooser.files?.[0];
        if (!file)
            return;
        const isLarge = file.size > bytesMax;
        said.textContent = isLarge ? "This file has more than a mebibyte." : "";
        if (!isLarge)
            field.value = await file.text();
    });
}
export {};
