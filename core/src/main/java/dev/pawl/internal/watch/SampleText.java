package dev.pawl.internal.watch;

import dev.pawl.admin.QueueSample;
import dev.pawl.admin.RunLengths;
import dev.pawl.internal.store.RunTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How a look at all queues is written: a line for each, with numbers and, last, its name. Names hold neither blanks nor ends of lines.
 * What a newer program adds comes before the name; who reads takes the first seven numbers. Then come lines of two words for the
 * kinds whose runs ended: those of {@link RunText}, which programs that know nothing of them pass over.
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
        for (String line : text.split("\n", -1)) {
            String[] words = line.split(" ", -1);
            if (words.length > NUMBERS) {
                long age = Long.parseLong(words[4]);
                queues.add(new QueueSample(
                        words[words.length - 1],
                        Long.parseLong(words[0]),
                        Long.parseLong(words[1]),
                        Long.parseLong(words[2]),
                        Long.parseLong(words[3]),
                        age < 0 ? null : Duration.ofMillis(age),
                        Long.parseLong(words[5]),
                        Long.parseLong(words[6])));
            }
        }
        return queues;
    }
}
