package dev.pawl.cli;

import java.io.PrintWriter;

/** Lets only {@link Harmless} text through, whoever prints it. */
final class HarmlessWriter extends PrintWriter {
    private final PrintWriter terminal;

    HarmlessWriter(PrintWriter terminal) {
        super(terminal, true);
        this.terminal = terminal;
    }

    /** {@return what this one writes to, for somebody who moves the cursor on purpose} */
    PrintWriter terminal() {
        return terminal;
    }

    @Override
    public void write(String text, int from, int length) {
        String harmless = Harmless.text(text.substring(from, from + length));
        super.write(harmless, 0, harmless.length());
    }

    @Override
    public void write(char[] text, int from, int length) {
        write(String.valueOf(text, from, length));
    }

    @Override
    public void write(int one) {
        write(String.valueOf((char) one));
    }
}
