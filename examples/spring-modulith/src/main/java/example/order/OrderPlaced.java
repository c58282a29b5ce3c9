package example.order;

/**
 * An event for other modules.
 *
 * @param order its number
 */
public record OrderPlaced(int order) {}
