#include "debug_view.h"

#include <stdio.h>
#include <string.h>

bool debug_view_draw(Host *host, const RenderStats *stats, double frame_seconds, Error *error) {
  int npcs = 0;
  for (int i = 0; host->world && i < host->world->characters.count; i++)
    npcs += !host->world->characters.items[i].is_player;
  char text[256];
  snprintf(text, sizeof text, "%.0f fps\n%d draw calls\n%d triangles\n%d NPCs\n%d KB Lua\n%d KB engine",
           frame_seconds > 0 ? 1 / frame_seconds : 0, stats->draw_calls, stats->triangles, npcs,
           host_lua_kb(host, false), (int)(host->memory->live_bytes / 1024));
  TextStyle style = {.size = 14, .color = {0.8f, 1, 0.8f, 1}};
  return overlay_rectangle(host->overlay, 8, 8, 150, 128, (Color){0, 0, 0, 0.55f}, 0, error) &&
         overlay_text(host->overlay, text, strlen(text), 16, 14, &style, error);
}
