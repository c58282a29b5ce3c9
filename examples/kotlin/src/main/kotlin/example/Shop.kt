package example

import dev.pawl.JobQueue
import dev.pawl.JobType
import dev.pawl.TypeToken
import dev.pawl.Worker
import org.sqlite.SQLiteDataSource
import java.time.Duration

data class Item(val name: String, val pieces: Int = 1)

val PACK: JobType<List<Item>> = JobType.of("order.pack", object : TypeToken<List<Item>>() {})

fun main() {
    val dataSource = SQLiteDataSource().apply { url = "jdbc:sqlite:shop.db" }
    JobQueue.open(dataSource).use { queue ->
        queue.enqueue(PACK, listOf(Item("pawl"), Item("ratchet", 2)))
        Worker.on(queue)
            .handle(PACK) { items, _ -> items.forEach { println("packing ${it.pieces} × ${it.name}") } }
            .start()
            .use { worker ->
                worker.awaitIdle(Duration.ofSeconds(30))
                check(worker.stats().completed() == 1L) { "not packed: ${worker.stats()}" }
            }
    }
}
