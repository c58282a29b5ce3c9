package example;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import java.time.Duration;
import org.sqlite.SQLiteDataSource;

public final class Welcome {
    record SendWelcome(String address) {}

    static final JobType<SendWelcome> SEND_WELCOME = JobType.of("welcome.send", SendWelcome.class);

    public static void main(String[] arguments) throws Exception {
        SQLiteDataSource dataSource = new SQLiteDataSource(); // any pool of PostgreSQL, MySQL, MariaDB or SQLite
        dataSource.setUrl("jdbc:sqlite:welcome.db");

        try (JobQueue queue = JobQueue.open(dataSource)) { // creates its tables
            queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.com"));

            try (Worker worker = Worker.on(queue)
                    .handle(SEND_WELCOME, (welcome, run) -> System.out.println("Welcome, " + welcome.address()))
                    .start()) {
                worker.awaitIdle(Duration.ofSeconds(30)); // a service calls worker.join()
            }
        }
    }
}
