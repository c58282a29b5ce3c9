package dev.pawl.internal.watch;

import dev.pawl.admin.QueueSample;
import dev.pawl.admin.RunLengths;
import dev.pawl.internal.store.RunTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The stored format of a sample of all queues: a line for each, with numbers and, last, its name. Names contain neither
 * blanks nor ends of lines. Additions of newer programs precede the name; readers take the first seven numbers. Then
 * follow lines of two words for the kinds with finished runs, in the format of {@link RunText}, which programs that do
 * not know them skip.
 */
final class SampleText {
    private static final int MOST_QUEUES = 100;
    private static final int NUMBERS = 7;

    private SampleText() {}

    static String of(List<QueueSample> queues, List<RunLengths> runs) {
        StringBuilder text = new StringBuilder();
        queues.stream()
                .sorted(Comparator.comparingLong((QueueSample queue) ->
                                queue.waiting() + queue.running() + queue.completed() + queue.discarded())
                        .reversed())
                .limit(MOST_QUEUES)
                .sorted(Comparator.comparing(QueueSample::queue))
                .forEach(queue -> {
                    Duration age = queue.oldestAge();
                    text.append(queue.available()).append(' ');
                    text.append(queue.delayed()).append(' ');
                    text.append(queue.retrying()).append(' ');
                    text.append(queue.running()).append(' ');
                    text.append(age == null ? -1 : Math.max(0, age.toMillis())).append(' ');
                    text.append(queue.completed()).append(' ');
                    text.append(queue.discarded()).append(' ');
                    text.append(queue.queue()).append('\n');
                });
        return text.append(RunText.of(runs)).toString();
    }

    static List<RunLengths> runs(String text) {
        return RunText.lengths(RunTimes.read(text));
    }

    static List<QueueSample> read(String text) {
        List<QueueSample> queues = new ArrayList<>();
        int[] blanks = new int[NUMBERS];
        // Not split: a chart of a week reads two hundred thousand of these lines.
        for (int begin = 0; begin < text.length(); ) {
            int newline = text.indexOf('\n', begin);
            int end = newline < 0 ? text.length() : newline;
            if (hasNumbers(text, begin, end, blanks)) {
                queues.add(read(text, begin, end, blanks));
            }
            begin = end + 1;
        }
        return queues;
    }

    /** Finds the blank after each number. */
    private static boolean hasNumbers(String text, int begin, int end, int[] blanks) {
        int at = begin;
        for (int i = 0; i < blanks.length; i++) {
            int blank = text.indexOf(' ', at);
            if (blank < 0 || blank >= end) {
                return false;
            }
            blanks[i] = blank;
            at = blank + 1;
        }
        return true;
    }

    private static QueueSample read(String text, int begin, int end, int[] blanks) {
        long[] numbers = new long[NUMBERS];
        int at = begin;
        for (int i = 0; i < NUMBERS; i++) {
            numbers[i] = Long.parseLong(text, at, blanks[i], 10);
            at = blanks[i] + 1;
        }
        return new QueueSample(
                text.substring(text.lastIndexOf(' ', end - 1) + 1, end),
                numbers[0],
                numbers[1],
                numbers[2],
                numbers[3],
                numbers[4] < 0 ? null : Duration.ofMillis(numbers[4]),
                numbers[5],
                numbers[6]);
    }
}
