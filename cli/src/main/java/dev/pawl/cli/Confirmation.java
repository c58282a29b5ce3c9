package dev.pawl.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Asks whoever sits at the terminal. */
final class Question {
    private Question() {}

    /** {@return whether somebody sees a question and may answer it: the launcher tells, as Java itself cannot before version 22} */
    static boolean canBeAsked() {
        return Boolean.getBoolean("pawl.terminal") && Boolean.getBoolean("pawl.keyboard");
    }

    /** {@return whether the answer begins with a y; the end of the input and everything else is no} */
    static boolean isYes(PrintWriter err, String question) {
        err.print(question + " [y/N] ");
        err.flush();
        try {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            String answer = in.readLine();
            return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
        } catch (IOException e) {
            return false;
        }
    }
}
